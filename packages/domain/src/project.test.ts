import { expect, it } from 'vitest';
import { dayAfter, endsAfterStart, projectProgress, projectStatuses } from './project.ts';

it('progress is derived from the status (spec 4)', () => {
  expect(projectStatuses.map((status) => [status, projectProgress(status)])).toEqual([
    ['active', 75],
    ['completed', 100],
    ['on-hold', 50],
  ]);
});

it.each([
  ['2026-03-01', '2026-03-02', true],
  ['2026-03-29', '2026-03-30', true],
  ['2026-03-01', '2026-03-01', false],
  ['2026-03-01', '2026-02-28', false],
  ['2025-12-31', '2026-01-01', true],
])(
  'from %s to %s: the end is at least the day after the start: %s (spec 5, Project)',
  (start, end, expected) => {
    expect(endsAfterStart(start, end)).toBe(expected);
  },
);

it.each([
  ['2026-02-28', '2026-03-01'],
  ['2028-02-28', '2028-02-29'],
  ['2026-03-28', '2026-03-29'],
  ['2026-12-31', '2027-01-01'],
  ['0001-01-01', '0001-01-02'],
  ['9999-12-31', '9999-12-31'],
])('the day after %s is %s', (day, next) => {
  expect(dayAfter(day)).toBe(next);
});
