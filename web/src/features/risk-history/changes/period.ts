import { addDays } from '@riskboard/domain';
import type { periodStarts, RiskHistorySearch } from '../risk-history-search.ts';

export type PeriodStart = (typeof periodStarts)[number];

export interface Period {
  readonly start: PeriodStart | 'custom';
  /** The numbers at the end of these UTC days are compared, 'YYYY-MM-DD'. */
  readonly from: string;
  readonly to: string;
}

export const periodItems = [
  { value: 'yesterday', label: 'Since yesterday' },
  { value: 'monday', label: 'Since Monday' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: 'custom', label: 'Two dates' },
] as const satisfies readonly { value: Period['start']; label: string }[];

/** The cards of the overview compare with the numbers of 30 days ago, too. */
export const standardStart = '30d' satisfies PeriodStart;

const daysBack = { yesterday: 1, '7d': 7, '30d': 30, '90d': 90 } as const;

/** The last Monday before a day: the end of the day itself is not compared with itself. */
function mondayBefore(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7 || 7));
}

/** First day of a period that ends today. */
const startDay = (start: PeriodStart, today: string): string =>
  start === 'monday' ? mondayBefore(today) : addDays(today, -daysBack[start]);

/** The period of the URL; the last 30 days without one. Two dates count only together. */
export function periodOf({ since, from, to }: RiskHistorySearch, today: string): Period {
  if (since === undefined && from !== undefined && to !== undefined) return { start: 'custom', from, to };
  const start = since ?? standardStart;
  return { start, from: startDay(start, today), to: today };
}

/** Why two dates cannot be compared; undefined when they can. */
export function problemOf({ from, to }: Period, today: string): string | undefined {
  if (from >= to) return 'The first date must be before the second.';
  return to > today ? 'The second date is in the future.' : undefined;
}
