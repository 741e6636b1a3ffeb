import { expect, it } from 'vitest';
import { changeText, remediationDaysChart, resolvedChart } from './remediation-charts.ts';

const week = (found: number, resolved: number, days: { p50: number; p95: number } | null = null) => ({
  week: '2026-11-16',
  found,
  resolved,
  net: resolved - found,
  fixed: days === null ? 0 : 3,
  p50: days?.p50 ?? null,
  p95: days?.p95 ?? null,
});

it('a week without a fix is a gap of both lines and says so in the table', () => {
  const { series, points } = remediationDaysChart([week(1, 0), week(2, 3, { p50: 4.25, p95: 31 })]);
  expect(points[0]?.name).toBe('Week of Nov 16, 2026');
  expect(series.map(({ name, values, texts }) => [name, values, texts])).toEqual([
    ['Half are fixed within (p50)', [null, 4.25], ['No fix', '4.3']],
    ['95% are fixed within (p95)', [null, 31], ['No fix', '31']],
    ['Fixed', [0, 3], ['0', '3']],
  ]);
});

it('the change of a week is a column of the table and not a bar; more open ones are positive', () => {
  const change = resolvedChart([week(5, 2), week(1, 4)]).series.at(-1);
  expect(change).toMatchObject({ texts: ['+3', '−3'], tableOnly: true });
});

it('the axis starts below 0 when more were reopened than closed', () => {
  expect(resolvedChart([week(4, -3)]).axis).toEqual({ min: -3, max: 4, tick: 1 });
});

it.each([
  [[week(12, 9)], 'Found 12, resolved 9: 3 more are open than before.'],
  [[week(1, 0)], 'Found 1, resolved 0: 1 more is open than before.'],
  [[week(1, 4), week(1, 0)], 'Found 2, resolved 4: 2 fewer are open than before.'],
  [[], 'Found 0, resolved 0: as many are open as before.'],
])('the sum over the weeks says how many more or fewer are open: %j', (weeks, text) => {
  expect(changeText(weeks)).toBe(text);
});
