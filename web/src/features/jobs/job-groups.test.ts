import { describe, expect, it } from 'vitest';
import { jobOf } from '../../testing/rows.ts';
import { jobGroups, jobsOf, mergeJobs } from './job-groups.ts';

describe('mergeJobs', () => {
  it('keeps the newer version of a job from the live store or the history', () => {
    const older = jobOf({ state: 'running', version: 3 });
    const newer = { ...older, state: 'succeeded' as const, version: 7 };
    expect(mergeJobs([newer], [older])).toEqual([newer]);
    expect(mergeJobs([older], [newer])).toEqual([newer]);
  });

  it('sorts the most recently changed job first', () => {
    const old = jobOf({ createdAt: '2026-01-01T00:00:00.000Z' });
    const ended = jobOf({
      createdAt: '2025-01-01T00:00:00.000Z',
      finishedAt: '2026-06-01T00:00:00.000Z',
      state: 'failed',
    });
    expect(mergeJobs([old], [ended]).map((job) => job._id)).toEqual([ended._id, old._id]);
  });
});

describe('job groups', () => {
  it('contain every job state exactly once', () => {
    const states = (['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const).map((state) =>
      jobOf({ state }),
    );
    const found = jobGroups.flatMap((group) => jobsOf(group, states));
    expect(found).toHaveLength(states.length);
    expect(new Set(found).size).toBe(states.length);
  });
});
