import type { Job } from '@riskboard/contract';
import { describe, expect, it } from 'vitest';
import { jobOf } from '../../testing/rows.ts';
import { announcementOf } from './job-announcer.tsx';

const mapOf = (...jobs: Job[]) => new Map(jobs.map((job) => [job._id, job]));
const running = jobOf({ state: 'running', fileName: 'apt.json' });

describe('job announcements', () => {
  it('announce the start and the end of a job', () => {
    const queued = { ...running, state: 'queued' as const };
    expect(announcementOf(mapOf(queued), mapOf(running))).toBe('Read report: apt.json started.');
    expect(announcementOf(mapOf(running), mapOf({ ...running, state: 'failed' }))).toBe(
      'Read report: apt.json failed.',
    );
  });

  it('do not announce progress, queued jobs or jobs that ended before the page loaded', () => {
    const further = { ...running, progress: { phase: 'reading', done: 9, total: 10 } };
    expect(announcementOf(mapOf(running), mapOf(further))).toBeNull();
    expect(announcementOf(mapOf(), mapOf({ ...running, state: 'queued' }))).toBeNull();
    expect(announcementOf(mapOf(), mapOf({ ...running, state: 'succeeded' }))).toBeNull();
  });

  it('announce only a count when many jobs change at once', () => {
    const many = Array.from({ length: 5 }, () => jobOf({ state: 'running' }));
    expect(announcementOf(mapOf(), mapOf(...many))).toBe('5 background jobs changed.');
  });
});
