import { expect, test } from 'vitest';
import { jobOf } from '../../testing/rows.ts';
import { progressOfJobs } from './work-progress.tsx';

const mapOf = (...jobs: ReturnType<typeof jobOf>[]) => new Map(jobs.map((job) => [job._id, job]));

test('the progress counts ended jobs, and running ones by their part, since no job was active', () => {
  const seen = new Set<string>();
  const [a, b] = [jobOf(), jobOf()];
  expect(progressOfJobs(mapOf(a, b), seen)).toBe(0);
  const half = jobOf({ _id: b._id, state: 'running', progress: { phase: 'reading', done: 1, total: 2 } });
  expect(progressOfJobs(mapOf(a, half), seen)).toBe(0.25);
  const ended = jobOf({ _id: a._id, state: 'succeeded' });
  expect(progressOfJobs(mapOf(ended, half), seen)).toBe(0.75);
  expect(progressOfJobs(mapOf(ended), seen)).toBeNull();
  expect(progressOfJobs(mapOf(ended, jobOf()), seen)).toBe(0);
});
