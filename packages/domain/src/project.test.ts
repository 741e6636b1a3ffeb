import { expect, it } from 'vitest';
import { endsAfterStart, projectProgress, projectStatuses } from './project.ts';

it('progress is derived from the status (spec 4)', () => {
  expect(projectStatuses.map((status) => [status, projectProgress(status)])).toEqual([
    ['active', 75],
    ['completed', 100],
    ['on-hold', 50],
  ]);
});

it.each([
  ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z', true],
  ['2026-03-01T23:59:00.000Z', '2026-03-02T00:00:00.000Z', true],
  ['2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z', false],
  ['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', false],
  ['2026-03-01T00:00:00.000Z', '2026-02-28T00:00:00.000Z', false],
  ['2025-12-31T00:00:00.000Z', '2026-01-01T00:00:00.000Z', true],
])('from %s to %s: the day after at least? %s (spec 5, Project)', (start, end, expected) => {
  expect(endsAfterStart(start, end)).toBe(expected);
});
