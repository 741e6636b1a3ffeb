import type { AssetScore } from '@riskboard/contract';
import { assetRiskBands } from '@riskboard/domain';
import { formatDay, formatMonthDay } from '../../../lib/format/day.ts';
import { formatMean } from '../../../lib/format/format.ts';
import type { Bar, BarColor } from '../../../ui/chart/bar-chart.ts';

type Point = Pick<AssetScore['history'][number], 'at' | 'score'>;

/** More bars than this are too narrow to read on a page. */
const mostBars = 60;
const dayMs = 86_400_000;

/** Spec 9: below 3 green, below 7 amber, otherwise red. */
const colors = { low: 'green', medium: 'amber', high: 'red' } as const satisfies Record<
  (typeof assetRiskBands)[number]['value'],
  BarColor
>;

/** What the colors of the chart mean. */
export const trendLegend = assetRiskBands
  .map(({ value, label }) => ({ color: colors[value], text: label }))
  .toReversed();

const bandOf = (score: number) => assetRiskBands.find(({ from }) => score >= from) ?? assetRiskBands[2];

/**
 * Recorded scores as bars, one a day or, for more than 60 days, one a week: the last record of that time. A day or week
 * without a record is a gap. Days are UTC, as the scores are recorded.
 * @param since first day, 'YYYY-MM-DD'; absent: all
 */
export function trendBars(all: readonly Point[], since = ''): { bars: Bar[]; step: 'Day' | 'Week' } {
  const history = all.filter(({ at }) => at >= since);
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return { bars: [], step: 'Day' };
  const dayOf = (at: string) => Math.floor(Date.parse(at) / dayMs);
  const days = dayOf(last.at) - dayOf(first.at) + 1;
  const length = days > mostBars ? 7 : 1;
  // The last bar ends with the last record.
  const barOf = (at: string) => Math.floor((dayOf(last.at) - dayOf(at)) / length);
  const scores = new Map(history.map(({ at, score }) => [barOf(at), score]));
  const count = barOf(first.at) + 1;
  const bars = Array.from({ length: count }, (_, n) => {
    const back = count - 1 - n;
    const day = new Date((dayOf(last.at) - back * length) * dayMs).toISOString().slice(0, 10);
    return barFor(day, scores.get(back), length);
  });
  return { bars, step: length === 1 ? 'Day' : 'Week' };
}

function barFor(day: string, score: number | undefined, length: number): Bar {
  const label = formatMonthDay(day);
  const name = length === 1 ? formatDay(day) : `Week to ${formatDay(day)}`;
  if (score === undefined) return { label, name, value: null, color: 'unknown', text: 'Not recorded' };
  const band = bandOf(score);
  return { label, name, value: score, color: colors[band.value], text: `${formatMean(score)} ${band.label}` };
}
