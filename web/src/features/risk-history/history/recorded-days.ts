import { addDays, daysBetween } from '@riskboard/domain';
import { formatDay, formatMonthDay } from '../../../lib/format/day.ts';
import type { SeriesPoint } from '../../../ui/chart/series-chart.ts';
import type { History } from '../queries.ts';

export type DayPoint = History['days'][number];

/** More points than this are too narrow to read: then each point is a week. */
const mostPoints = 400;

export interface Gap {
  /** First and last day without a record. */
  readonly from: string;
  readonly to: string;
}

export interface RecordedDays {
  readonly step: 'Day' | 'Week';
  /** A point without a record is null. The last point is the last day. */
  readonly points: readonly (SeriesPoint & { readonly record: DayPoint | null })[];
  /** Days without a record between the first day and the last, oldest first. */
  readonly gaps: readonly Gap[];
}

/**
 * The recorded days from the first one that has a record until `last`, one point a day, or one a week with its last
 * record. A missing day stays a gap; nothing is interpolated.
 */
export function recordedDays(days: readonly DayPoint[], last: string): RecordedDays {
  const byDay = new Map(days.map((point) => [point.date, point]));
  const first = days[0]?.date;
  if (first === undefined) return { step: 'Day', points: [], gaps: [] };
  const length = daysBetween(first, last) + 1;
  const all = Array.from({ length }, (_, at) => addDays(first, at));
  const width = length > mostPoints ? 7 : 1;
  const count = Math.ceil(length / width);
  const points = Array.from({ length: count }, (_, at) => {
    const end = addDays(last, (at + 1 - count) * width);
    const record = Array.from({ length: width }, (_, back) => byDay.get(addDays(end, -back))).find(
      (one) => one !== undefined,
    );
    const name = width === 1 ? formatDay(end) : `Week to ${formatDay(end)}`;
    return { label: formatMonthDay(end), name, record: record ?? null };
  });
  return { step: width === 1 ? 'Day' : 'Week', points, gaps: gapsOf(all.filter((day) => !byDay.has(day))) };
}

/** Consecutive days as one gap. */
function gapsOf(missing: readonly string[]): Gap[] {
  const gaps: { from: string; to: string }[] = [];
  for (const day of missing) {
    const open = gaps.at(-1);
    if (open !== undefined && addDays(open.to, 1) === day) open.to = day;
    else gaps.push({ from: day, to: day });
  }
  return gaps;
}

/** Gaps that are named one by one; the others are counted. */
const mostNamed = 3;

/** 'Not recorded: Nov 3, 2026; Nov 7, 2026 to Nov 9, 2026.' Empty without a gap. */
export function gapText(gaps: readonly Gap[]): string {
  if (gaps.length === 0) return '';
  const named = gaps
    .slice(-mostNamed)
    .map(({ from, to }) => (from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`));
  const earlier = gaps.length - named.length;
  const more = earlier === 0 ? '' : `; ${earlier} earlier ${earlier === 1 ? 'gap' : 'gaps'}`;
  return `Not recorded: ${named.join('; ')}${more}.`;
}
