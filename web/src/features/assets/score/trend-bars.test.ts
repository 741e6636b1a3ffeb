import { expect, it } from 'vitest';
import { trendBars } from './trend-bars.ts';

const point = (at: string, score: number) => ({ at: `${at}:00.000Z`, score });
const shown = (bars: ReturnType<typeof trendBars>['bars']) =>
  bars.map(({ name, value, color, text }) => [name, value, color, text]);

it('the trend has one bar a day with its last score, in the colors of spec 9, and days without a record are gaps', () => {
  const { bars, step } = trendBars([
    point('2026-11-01T01:00', 1),
    point('2026-11-01T23:59', 2.9),
    point('2026-11-03T00:00', 3),
    point('2026-11-04T12:00', 7),
  ]);
  expect(step).toBe('Day');
  expect(shown(bars)).toEqual([
    ['Nov 1, 2026', 2.9, 'green', '2.9 Low Risk'],
    ['Nov 2, 2026', null, 'unknown', 'Not recorded'],
    ['Nov 3, 2026', 3, 'amber', '3.0 Medium Risk'],
    ['Nov 4, 2026', 7, 'red', '7.0 High Risk'],
  ]);
});

it('a trend of more than 60 days has one bar a week, the last of which ends with the last record', () => {
  const { bars, step } = trendBars([
    point('2026-06-01T00:00', 1),
    point('2026-11-10T00:00', 5),
    point('2026-11-21T10:00', 6),
  ]);
  expect(step).toBe('Week');
  expect(bars).toHaveLength(25);
  expect(shown(bars.slice(-2))).toEqual([
    ['Week to Nov 14, 2026', 5, 'amber', '5.0 Medium Risk'],
    ['Week to Nov 21, 2026', 6, 'amber', '6.0 Medium Risk'],
  ]);
});

it('a trend without a record has no bar', () => {
  expect(trendBars([]).bars).toEqual([]);
});
