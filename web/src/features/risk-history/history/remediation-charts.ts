import { lazily, formatCount, plural } from '@riskboard/domain';
import { formatDay, formatMonthDay } from '../../../lib/format/day.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { countAxis } from '../../../ui/chart/bar-chart.ts';
import type { Series, SeriesChart, SeriesPoint } from '../../../ui/chart/series-chart.ts';
import type { History } from '../queries.ts';

type Week = History['weeks'][number];

const pointsOf = (weeks: readonly Week[]): SeriesPoint[] =>
  weeks.map(({ week }) => ({ label: formatMonthDay(week), name: `Week of ${formatDay(week)}` }));

const present = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

function daysSeries(
  weeks: readonly Week[],
  share: 'p50' | 'p95',
  style: Pick<Series, 'name' | 'color' | 'dash'>,
): Series {
  const values = weeks.map((week) => week[share]);
  return {
    ...style,
    values,
    dots: true,
    texts: values.map((value) => (value === null ? 'No fix' : formatNumber(Math.round(value * 10) / 10))),
  };
}

/** Days from discovery to the fix, by the week of the fix. */
export function remediationDaysChart(weeks: readonly Week[]): SeriesChart {
  const series: Series[] = [
    daysSeries(weeks, 'p50', { name: 'Half are fixed within (p50)', color: 'accent' }),
    daysSeries(weeks, 'p95', { name: '95% are fixed within (p95)', color: 'red', dash: 6 }),
  ];
  const fixed: Series = {
    name: 'Fixed',
    color: 'muted',
    values: weeks.map((week) => week.fixed),
    texts: weeks.map((week) => formatCount(week.fixed)),
    tableOnly: true,
  };
  return {
    kind: 'line',
    points: pointsOf(weeks),
    series: [...series, fixed],
    axis: countAxis(series.flatMap(({ values }) => present(values))),
  };
}

const signed = lazily(() => new Intl.NumberFormat('en-US', { signDisplay: 'exceptZero' }));

/** '+3', '−3', '0'. */
const signedCount = (count: number): string => signed().format(count).replace('-', '−');

/** Vulnerabilities found and resolved in each week; the table has how many more or fewer are open. */
export function resolvedChart(weeks: readonly Week[]): SeriesChart {
  const countSeries = (key: 'found' | 'resolved', style: Pick<Series, 'name' | 'color'>): Series => ({
    ...style,
    values: weeks.map((week) => week[key]),
    texts: weeks.map((week) => formatCount(week[key])),
  });
  const drawn = [
    countSeries('found', { name: 'Found', color: 'red' }),
    countSeries('resolved', { name: 'Resolved', color: 'green' }),
  ];
  const more = weeks.map(({ found, resolved }) => found - resolved);
  const change: Series = {
    name: 'Change of open (found − resolved)',
    color: 'muted',
    values: more,
    texts: more.map(signedCount),
    tableOnly: true,
  };
  const values = drawn.flatMap((one) => present(one.values));
  // More reopened than closed in a week is below 0.
  const least = Math.min(0, ...values);
  const axis = countAxis([...values, -least]);
  return {
    kind: 'bar',
    points: pointsOf(weeks),
    series: [...drawn, change],
    axis: least < 0 ? { ...axis, min: Math.floor(least / axis.tick) * axis.tick } : axis,
  };
}

/** 'Found 12, resolved 9: 3 more are open than before.' */
export function changeText(weeks: readonly Week[]): string {
  const found = weeks.reduce((sum, week) => sum + week.found, 0);
  const resolved = weeks.reduce((sum, week) => sum + week.resolved, 0);
  const more = found - resolved;
  const word = more > 0 ? 'more' : 'fewer';
  const change =
    more === 0
      ? 'as many are open as before'
      : `${plural(Math.abs(more), `${word} is`, `${word} are`)} open than before`;
  return `Found ${formatCount(found)}, resolved ${formatCount(resolved)}: ${change}.`;
}
