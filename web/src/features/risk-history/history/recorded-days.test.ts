import { addDays } from '@riskboard/domain';
import { expect, it } from 'vitest';
import { countsChart, exposureChart, scoreChart } from './history-charts.ts';
import { gapText, recordedDays, type DayPoint } from './recorded-days.ts';

const day = (date: string, change: Partial<DayPoint> = {}): DayPoint => ({
  date,
  score: 40,
  totalThreats: 5,
  openVulnerabilities: 8,
  newVulnerabilities: 2,
  assetsAtRisk: 1,
  exposure: 6.25,
  ...change,
});

it('a missing day is a gap of the line and is named; the day before and after it keep their values', () => {
  const days = recordedDays([day('2026-11-01'), day('2026-11-03', { score: 42 })], '2026-11-05');
  const [series] = scoreChart(days).series;
  expect(days.step).toBe('Day');
  expect(series?.values).toEqual([40, null, 42, null, null]);
  expect(series?.texts).toEqual(['40', 'Not recorded', '42', 'Not recorded', 'Not recorded']);
  expect(gapText(days.gaps)).toBe('Not recorded: Nov 2, 2026; Nov 4, 2026 to Nov 5, 2026.');
});

it('a recorded day without an open vulnerability has no exposure and is not a missing day', () => {
  const days = recordedDays([day('2026-11-01', { exposure: null }), day('2026-11-02')], '2026-11-02');
  expect(exposureChart(days).series[0]?.texts).toEqual(['No open vulnerability', '6.25']);
  expect(gapText(days.gaps)).toBe('');
});

it('more than 400 days are shown by weeks with their last record, the last week ends with the last day', () => {
  const first = '2025-01-01';
  const last = addDays(first, 499);
  const all = Array.from({ length: 500 }, (_, at) => day(addDays(first, at), { score: at % 100 }));
  const days = recordedDays(all, last);
  expect(days.step).toBe('Week');
  expect(days.points).toHaveLength(72);
  expect(days.points.at(-1)).toMatchObject({ record: { date: last } });
  expect(days.points.at(-2)).toMatchObject({ record: { date: addDays(last, -7) } });
  expect(days.points[0]?.record).not.toBeNull();
});

it('the axis of the counts reaches the largest of them', () => {
  const days = recordedDays([day('2026-11-01', { openVulnerabilities: 41 })], '2026-11-01');
  expect(countsChart(days).axis).toEqual({ max: 50, tick: 10 });
});

it('many gaps are counted, the newest three are named', () => {
  const recorded = [1, 3, 5, 7, 9, 11].map((at) => day(`2026-11-${String(at).padStart(2, '0')}`));
  expect(gapText(recordedDays(recorded, '2026-11-11').gaps)).toBe(
    'Not recorded: Nov 6, 2026; Nov 8, 2026; Nov 10, 2026; 2 earlier gaps.',
  );
});

it('without a record there is no point', () => {
  expect(recordedDays([], '2026-11-11').points).toEqual([]);
});
