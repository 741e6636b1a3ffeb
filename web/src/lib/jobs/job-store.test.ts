import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Job } from '@riskboard/contract';
import { jobOf, newId } from '../../testing/rows.ts';
import { createJobStore, mostEnded } from './job-store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const notify = () => vi.runAllTimers();

test('a delta with a newer version is applied, an older one is dropped', () => {
  const store = createJobStore();
  const job = jobOf({ version: 3, state: 'running' });
  expect(store.apply(job)).toEqual({ before: undefined });
  expect(store.apply({ ...job, version: 3, state: 'queued' })).toBeNull();
  expect(store.apply({ ...job, version: 2, state: 'queued' })).toBeNull();
  expect(store.find(job._id)?.state).toBe('running');
  expect(store.apply({ ...job, version: 4, state: 'succeeded' })).toEqual({ before: job });
  expect(store.find(job._id)?.state).toBe('succeeded');
});

test('the copy of all jobs does not change and is made again after a change', () => {
  const store = createJobStore();
  store.apply(jobOf());
  const before = store.get();
  expect(store.get()).toBe(before);
  store.apply(jobOf());
  expect([before.size, store.get().size]).toEqual([1, 2]);
});

test('active jobs are counted, also after they ended, were retried or deleted', () => {
  const store = createJobStore();
  const job = jobOf({ version: 1 });
  store.apply(job);
  store.apply(jobOf());
  expect(store.liveCount()).toBe(2);
  store.apply({ ...job, version: 2, state: 'failed' });
  expect(store.liveCount()).toBe(1);
  store.apply({ ...job, version: 3, state: 'queued' });
  expect(store.liveCount()).toBe(2);
  for (const id of store.applyList({ jobs: [], isComplete: true })) store.remove(id);
  expect(store.liveCount()).toBe(0);
  store.clear();
  expect(store.get().size).toBe(0);
});

test('the jobs of a file are found until the file is deleted', () => {
  const store = createJobStore();
  const fileId = newId();
  const [parse, extract] = [jobOf({ fileId, version: 1 }), jobOf({ fileId, version: 1 })];
  for (const job of [parse, extract, jobOf()]) store.apply(job);
  expect(store.ofFile(fileId)).toEqual([parse, extract]);
  store.apply({ ...parse, fileId: null, version: 2 });
  expect(store.ofFile(fileId)).toEqual([extract]);
});

describe('a list of active jobs', () => {
  const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`;

  test('adds and updates jobs, keeps the others, and returns those that ended meanwhile', () => {
    const store = createJobStore();
    const done = jobOf({ state: 'succeeded', version: 9 });
    const missing = jobOf({ state: 'running' });
    const stays = jobOf({ state: 'running', version: 5 });
    const fresh = jobOf({ state: 'queued' });
    for (const job of [done, missing, stays]) store.apply(job);
    const jobs = [{ ...stays, version: 6 }, fresh];
    expect(store.applyList({ jobs, isComplete: true })).toEqual([missing._id]);
    expect([...store.get().keys()].toSorted()).toEqual(
      [done._id, missing._id, stays._id, fresh._id].toSorted(),
    );
    expect(store.find(missing._id)).toEqual(missing);
    expect(store.find(stays._id)?.version).toBe(6);
  });

  test('that is older than a delta does not overwrite the newer job', () => {
    const store = createJobStore();
    const job = jobOf({ state: 'running', version: 8 });
    store.apply(job);
    store.applyList({ jobs: [{ ...job, version: 7, state: 'queued' }], isComplete: true });
    expect(store.find(job._id)).toEqual(job);
  });

  test('that is cut off does not report the active jobs beyond its ends', () => {
    const store = createJobStore();
    const [oldest, first, missing, last, newest] = [1, 2, 3, 4, 5].map((minute) =>
      jobOf({ createdAt: at(minute) }),
    ) as [Job, Job, Job, Job, Job];
    for (const job of [oldest, first, missing, last, newest]) store.apply(job);
    expect(store.applyList({ jobs: [first, last], isComplete: false })).toEqual([missing._id]);
  });
});

test('a list that is cut off does not report the queued jobs beyond its end, with any running jobs', () => {
  const store = createJobStore();
  const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`;
  const running = [1, 9].map((minute) => jobOf({ state: 'running', createdAt: at(minute) }));
  const queued = [2, 3, 4].map((minute) => jobOf({ createdAt: at(minute) }));
  for (const job of [...running, ...queued]) store.apply(job);
  expect(store.applyList({ jobs: [...running, ...queued.slice(0, 2)], isComplete: false })).toEqual([]);
  expect(store.liveCount()).toBe(5);
});

describe('ended jobs', () => {
  const end = (): Job => jobOf({ state: 'succeeded', version: 8 });

  test('are kept up to a number, the latest ones; active jobs are all kept', () => {
    const store = createJobStore();
    const running = jobOf({ state: 'running' });
    store.apply(running);
    const first = end();
    store.apply(first);
    for (let count = 0; count < mostEnded; count += 1) store.apply(end());
    expect(store.get().size).toBe(mostEnded + 1);
    expect(store.find(running._id)).toBe(running);
    expect(store.find(first._id)).toBeUndefined();
    expect(store.isForgotten(first._id)).toBe(true);
    expect(store.ofFile(first.fileId ?? '')).toEqual([]);
  });

  test('that were forgotten do not become active again by a late delta, but by a retry', () => {
    const store = createJobStore();
    const first = end();
    store.apply(first);
    for (let count = 0; count < mostEnded; count += 1) store.apply(end());
    expect(store.apply({ ...first, state: 'running', version: 7 })).toBeNull();
    expect(store.liveCount()).toBe(0);
    expect(store.apply({ ...first, state: 'queued', version: 9 })).not.toBeNull();
    expect([store.liveCount(), store.isForgotten(first._id)]).toEqual([1, false]);
  });
});

describe('listeners', () => {
  test('are notified once of many changes, and not of dropped deltas', () => {
    const store = createJobStore();
    const job = jobOf({ version: 2 });
    const listener = vi.fn<() => void>();
    store.subscribe(listener);
    for (let version = 2; version < 100; version += 1) store.apply({ ...job, version });
    notify();
    expect(listener).toHaveBeenCalledOnce();
    store.apply(job);
    notify();
    expect(listener).toHaveBeenCalledOnce();
  });

  test('of a job or a file are notified of that job or file only', () => {
    const store = createJobStore();
    const [job, other] = [jobOf(), jobOf()];
    const [ofJob, ofFile] = [vi.fn<() => void>(), vi.fn<() => void>()];
    store.subscribeTo([job._id], ofJob);
    const unsubscribe = store.subscribeTo([job.fileId ?? ''], ofFile);
    store.apply(other);
    notify();
    expect([ofJob.mock.calls.length, ofFile.mock.calls.length]).toEqual([0, 0]);
    store.apply(job);
    notify();
    expect([ofJob.mock.calls.length, ofFile.mock.calls.length]).toEqual([1, 1]);
    unsubscribe();
    store.apply({ ...job, version: 9 });
    notify();
    expect([ofJob.mock.calls.length, ofFile.mock.calls.length]).toEqual([2, 1]);
  });
});

/** A job that counts how often one of its properties is read. */
const countingReads = (job: Job, count: { reads: number }): Job =>
  new Proxy(job, {
    get(target, name) {
      count.reads += 1;
      return Reflect.get(target, name) as unknown;
    },
  });

/** Reads of jobs per delta when so many jobs run from start to end, with the listeners that every page has. */
function readsPerDelta(size: number): number {
  const store = createJobStore();
  const count = { reads: 0 };
  const jobs = Array.from({ length: size }, () => jobOf({ state: 'running' }));
  store.subscribe(() => store.liveCount());
  for (const { _id, fileId } of jobs.slice(0, 10)) {
    store.subscribeTo([_id, fileId ?? ''], () => store.ofFile(fileId ?? '').map(({ state }) => state));
  }
  for (let version = 2; version <= 9; version += 1) {
    for (const job of jobs) {
      const state = version === 9 ? 'succeeded' : 'running';
      store.apply(countingReads({ ...job, version, state }, count));
      notify();
    }
  }
  return count.reads / (size * 8);
}

test('the work of a delta does not grow with the number of jobs', () => {
  expect(readsPerDelta(800)).toBeLessThanOrEqual(readsPerDelta(100));
});
