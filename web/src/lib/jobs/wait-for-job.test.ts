import { accounts, jobs } from '@riskboard/contract';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { jobOf } from '../../testing/rows.ts';
import { counted, refusal, useServer } from '../../testing/server.ts';
import { abandonWaits, endOfJob } from './wait-for-job.ts';
import { jobStore } from './job-store.ts';

useServer();
vi.setConfig({ testTimeout: 20_000 });

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => {
  vi.useRealTimers();
  jobStore.clear();
});

/** Advances the timers until the `count`th poll has been sent. */
const polled = (poll: { times: number }, count: number) =>
  vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1000);
    expect(poll.times).toBeGreaterThanOrEqual(count);
  });

describe('waiting for the end of a job', () => {
  const job = jobOf({ state: 'running' });
  const done = { ...job, state: 'succeeded' as const, version: 5 };

  test.each([
    ['lost', () => HttpResponse.error()],
    ['answered with 503', () => refusal('unavailable')],
    ['answered with 429', () => refusal('too_many')],
    ['refused because another tab has switched the organization', () => refusal('session_changed')],
  ])('continues after a poll that was %s', async (_, lost) => {
    let isLost = true;
    const poll = counted(jobs.get, () => {
      const answer = isLost ? lost() : done;
      isLost = false;
      return answer;
    });
    const end = endOfJob(job._id);
    await polled(poll, 2);
    await expect(end).resolves.toEqual(done);
  });

  test('ends with the error of the server when the job was deleted', async () => {
    const poll = counted(jobs.get, () => refusal('not_found'));
    const failure = endOfJob(job._id).catch((error: unknown) => error);
    await polled(poll, 1);
    expect(await failure).toMatchObject({ status: 404 });
  });

  test('ends when the session has ended', async () => {
    counted(accounts.refresh, () => refusal('session_expired'));
    const poll = counted(jobs.get, () => refusal('session_expired'));
    const failure = endOfJob(job._id).catch((error: unknown) => error);
    await polled(poll, 1);
    expect(await failure).toMatchObject({ status: 401 });
  });

  test('does not repeat a poll that is not answered yet', async () => {
    const held = Promise.withResolvers<void>();
    const poll = counted(jobs.get, async () => {
      await held.promise;
      return done;
    });
    const end = endOfJob(job._id);
    await polled(poll, 1);
    await vi.advanceTimersByTimeAsync(20_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(poll.times).toBe(1);
    held.resolve();
    await expect(end).resolves.toEqual(done);
  });

  test('waits for ten answers at most', async () => {
    const held = Promise.withResolvers<void>();
    const poll = counted(jobs.get, async ({ params }) => {
      await held.promise;
      return { ...done, _id: String(params['id']) };
    });
    const ends = Array.from({ length: 12 }, () => endOfJob(jobOf({ state: 'running' })._id));
    await polled(poll, 10);
    await vi.advanceTimersByTimeAsync(20_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(poll.times).toBe(10);
    held.resolve();
    await polled(poll, 12);
    await Promise.all(ends);
  });

  test('polls no more once the wait is abandoned, and ignores the socket', async () => {
    const poll = counted(jobs.get, () => job);
    const ended = vi.fn<() => void>();
    void endOfJob(job._id).then(ended, ended);
    await polled(poll, 1);
    abandonWaits();
    const before = poll.times;
    await vi.advanceTimersByTimeAsync(10_000);
    jobStore.apply(done);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(poll.times).toBe(before);
    expect(ended).not.toHaveBeenCalled();
  });
});
