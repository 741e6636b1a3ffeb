import { addDays } from '@riskboard/domain';

/** Times that a history can show. */
export const historyRanges = ['30d', '90d', '1y', 'all'] as const;
export type HistoryRange = (typeof historyRanges)[number];

/** The ranges as choices of a control. */
export const historyRangeItems = [
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '1y', label: '1 year' },
  { value: 'all', label: 'All' },
] as const satisfies readonly { value: HistoryRange; label: string }[];

const days = { '30d': 30, '90d': 90, '1y': 365 } as const;

/** First day of a range that ends with a day; undefined for all. */
export const firstDayOf = (range: HistoryRange, last: string): string | undefined =>
  range === 'all' ? undefined : addDays(last, -days[range]);

/** The day in UTC of a moment, in milliseconds since the epoch. The history of numbers is recorded by UTC days. */
export const utcDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
