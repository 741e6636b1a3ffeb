/** Calendar days, 'YYYY-MM-DD'. They have no time zone: nothing here converts them to a moment of the reader's zone. */

import { lazily } from '@riskboard/domain';

export { formatDay } from '@riskboard/domain';

const monthDay = lazily(
  () => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }),
);
const full = lazily(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }));

/** Milliseconds of a day's midnight in UTC, NaN when the text is not a day. */
const utcOf = (day: string): number => Date.parse(`${day.slice(0, 10)}T00:00:00Z`);

function format(day: string, { format: text }: Intl.DateTimeFormat): string {
  const moment = utcOf(day);
  return Number.isNaN(moment) ? day : text(moment);
}

/** 'May 1', for the axis of a chart. */
export const formatMonthDay = (day: string): string => format(day, monthDay());

/** 'Wednesday, May 1, 2024'. */
export const formatFullDay = (day: string): string => format(day, full());

/** Today where the reader is, 'YYYY-MM-DD'. `now` is in milliseconds since the epoch. */
export function dayAt(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())).toISOString().slice(0, 10);
}
