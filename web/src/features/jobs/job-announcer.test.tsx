import type { Job } from '@riskboard/contract';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { jobOf } from '../../testing/rows.ts';
import { JobAnnouncer } from './job-announcer.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  jobStore.clear();
  vi.useRealTimers();
});

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const announced = () => screen.getByRole('status', { name: 'Background jobs' }).textContent;

function change(job: Job, state: Job['state']): Job {
  const changed = { ...job, state, version: job.version + 1 };
  jobStore.apply(changed);
  return changed;
}

describe('job announcements', () => {
  it('announce the start and the end of a job, and no progress', async () => {
    render(<JobAnnouncer />);
    const running = change(jobOf({ state: 'queued', fileName: 'apt.json' }), 'running');
    await wait(5000);
    expect(announced()).toBe('Read report: apt.json started.');
    jobStore.apply({ ...running, version: 8, progress: { phase: 'reading', done: 9, total: 10 } });
    await wait(40_000);
    expect(announced()).toBe('Read report: apt.json started.');
    change({ ...running, version: 8 }, 'failed');
    await wait(5000);
    expect(announced()).toBe('Read report: apt.json failed.');
  });

  it('do not announce queued jobs or jobs that ended before the page loaded', async () => {
    render(<JobAnnouncer />);
    jobStore.apply(jobOf({ state: 'queued' }));
    jobStore.apply(jobOf({ state: 'succeeded' }));
    await wait(60_000);
    expect(announced()).toBe('');
  });

  it('are made every 30 s at most while jobs of a batch start and end, with the number of each end', async () => {
    render(<JobAnnouncer />);
    const batch = Array.from({ length: 40 }, () => jobOf({ state: 'queued' }));
    for (const job of batch) jobStore.apply(job);
    const texts = new Set<string | null>();
    for (const [index, job] of batch.entries()) {
      const running = change(job, 'running');
      await wait(1000);
      change(running, index % 4 === 0 ? 'failed' : 'succeeded');
      await wait(500);
      texts.add(announced());
    }
    await wait(40_000);
    texts.add(announced());
    const counts = [...texts].filter((text) => text !== '');
    expect(counts).toHaveLength(2);
    for (const text of counts)
      expect(text).toMatch(/^Background jobs: \d+ done, \d+ failed(?:, 1 started)?\.$/u);
  });
});
