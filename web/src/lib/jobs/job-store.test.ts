import { expect, test } from 'vitest';
import { jobOf } from '../../testing/rows.ts';
import { createJobStore } from './job-store.ts';

test('a delta with a newer version is applied, an older one is dropped', () => {
  const store = createJobStore();
  const job = jobOf({ version: 3, state: 'running' });
  expect(store.apply(job)).toEqual({ before: undefined });
  expect(store.apply({ ...job, version: 3, state: 'queued' })).toBeNull();
  expect(store.apply({ ...job, version: 2, state: 'queued' })).toBeNull();
  expect(store.get().get(job._id)?.state).toBe('running');
  expect(store.apply({ ...job, version: 4, state: 'succeeded' })).toEqual({ before: job });
  expect(store.get().get(job._id)?.state).toBe('succeeded');
});

test('a snapshot replaces active jobs, keeps ended ones, and returns those that ended meanwhile', () => {
  const store = createJobStore();
  const done = jobOf({ state: 'succeeded', version: 9 });
  const gone = jobOf({ state: 'running' });
  const stays = jobOf({ state: 'running', version: 5 });
  const fresh = jobOf({ state: 'queued' });
  for (const job of [done, gone, stays]) store.apply(job);
  expect(store.replace([{ ...stays, version: 6 }, fresh])).toEqual([gone._id]);
  expect([...store.get().keys()].toSorted()).toEqual([done._id, stays._id, fresh._id].toSorted());
  expect(store.get().get(stays._id)?.version).toBe(6);
});

test('a snapshot that is older than a delta does not overwrite the newer job', () => {
  const store = createJobStore();
  const job = jobOf({ state: 'running', version: 8 });
  store.apply(job);
  store.replace([{ ...job, version: 7, state: 'queued' }]);
  expect(store.get().get(job._id)).toEqual(job);
});

test('listeners are notified of changes only', () => {
  const store = createJobStore();
  const job = jobOf({ version: 2 });
  let notified = 0;
  store.subscribe(() => {
    notified += 1;
  });
  store.apply(job);
  store.apply(job);
  expect(notified).toBe(1);
});
