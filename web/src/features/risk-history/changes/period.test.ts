import { expect, it } from 'vitest';
import { periodOf, problemOf } from './period.ts';

// A Sunday.
const today = '2026-11-22';

it.each([
  ['no parameter is the last 30 days', {}, '30d', '2026-10-23', today],
  ['since yesterday', { since: 'yesterday' }, 'yesterday', '2026-11-21', today],
  ['the last 7 days', { since: '7d' }, '7d', '2026-11-15', today],
  ['the last 90 days', { since: '90d' }, '90d', '2026-08-24', today],
  ['since Monday on a Sunday', { since: 'monday' }, 'monday', '2026-11-16', today],
  ['two dates', { from: '2026-01-01', to: '2026-02-01' }, 'custom', '2026-01-01', '2026-02-01'],
  ['one date without the other', { from: '2026-01-01' }, '30d', '2026-10-23', today],
] as const)('%s', (_line, search, start, from, to) => {
  expect(periodOf(search, today)).toEqual({ start, from, to });
});

it('since Monday compares with the Monday before when today is a Monday', () => {
  expect(periodOf({ since: 'monday' }, '2026-11-23').from).toBe('2026-11-16');
});

it.each([
  ['2026-11-22', '2026-11-22', 'The first date must be before the second.'],
  ['2026-11-22', '2026-11-21', 'The first date must be before the second.'],
  ['2026-11-21', '2026-11-23', 'The second date is in the future.'],
  ['2026-11-21', '2026-11-22', undefined],
])('from %s to %s: %s', (from, to, problem) => {
  expect(problemOf({ start: 'custom', from, to }, today)).toBe(problem);
});
