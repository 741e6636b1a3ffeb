import { formatCount } from '@riskboard/domain';
import { formatExposure, formatNumber } from '../../../lib/format/format.ts';
import { countAxis } from '../../../ui/chart/bar-chart.ts';
import type { Series, SeriesChart } from '../../../ui/chart/series-chart.ts';
import type { DayPoint, RecordedDays } from './recorded-days.ts';

const notRecorded = 'Not recorded';

interface Line extends Pick<Series, 'name' | 'color' | 'dash'> {
  readonly valueOf: (day: DayPoint) => number | null;
  readonly textOf: (value: number) => string;
  /** Text of a recorded day without a value. */
  readonly without?: string;
}

const lineOf = (
  { points }: Pick<RecordedDays, 'points'>,
  { valueOf, textOf, without = '', ...line }: Line,
): Series => {
  const values = points.map(({ record }) => (record === null ? null : valueOf(record)));
  return {
    ...line,
    values,
    texts: values.map((value, at) => {
      if (value !== null) return textOf(value);
      return points[at]?.record === null ? notRecorded : without;
    }),
  };
};

const chartOf = (days: RecordedDays, lines: readonly Line[], axis: SeriesChart['axis']): SeriesChart => ({
  kind: 'line',
  points: days.points,
  series: lines.map((line) => lineOf(days, line)),
  axis,
});

/** The overall risk score, 0 to 100. */
export const scoreChart = (days: RecordedDays): SeriesChart =>
  chartOf(
    days,
    [{ name: 'Overall risk score', color: 'accent', valueOf: ({ score }) => score, textOf: formatNumber }],
    { max: 100, tick: 20 },
  );

/** Mean severity of the open vulnerabilities; spec 9, Trend chart: 0 to 10 with every tick. */
export const exposureChart = (days: RecordedDays): SeriesChart =>
  chartOf(
    days,
    [
      {
        name: 'Risk exposure',
        color: 'accent',
        valueOf: ({ exposure }) => exposure,
        textOf: formatExposure,
        without: 'No open vulnerability',
      },
    ],
    { max: 10, tick: 1 },
  );

const countLines: readonly Line[] = (
  [
    { name: 'Total threats', color: 'text', dash: 6, key: 'totalThreats' },
    { name: 'Open vulnerabilities', color: 'red', key: 'openVulnerabilities' },
    { name: 'New vulnerabilities', color: 'accent', dash: 2, key: 'newVulnerabilities' },
    { name: 'Assets at risk', color: 'muted', dash: 10, key: 'assetsAtRisk' },
  ] as const
).map(({ key, ...line }) => ({ ...line, valueOf: (day) => day[key], textOf: formatCount }));

const countsAxis = (lines: readonly Series[]) =>
  countAxis(lines.flatMap(({ values }) => values.filter((value) => value !== null)));

/** The four counts that the overall risk score is calculated from; beside a large one, the others are flat lines. */
export function countsChart({ points }: RecordedDays): SeriesChart {
  const series = countLines.map((line) => lineOf({ points }, line));
  return { kind: 'line', points, series, axis: countsAxis(series), axisOf: countsAxis };
}
