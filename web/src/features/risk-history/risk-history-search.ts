import { changeMeasures, explainedMetrics } from '@riskboard/contract';
import { day, oneOf, type SearchOf } from '../../lib/list/search-schema.ts';
import { historyRanges } from '../../lib/format/history-range.ts';

/** Starts of a period that ends today. */
export const periodStarts = ['yesterday', '7d', '30d', '90d', 'monday'] as const;

/** URL parameters of the parts of the overview that explain its numbers; the route of the overview has them. */
export const riskHistoryParameters = {
  /** Number whose explanation is open. */
  explain: oneOf(explainedMetrics),
  measure: oneOf(changeMeasures),
  since: oneOf(periodStarts),
  /** Days of a custom period. */
  from: day,
  to: day,
  /** Time that the history shows. */
  range: oneOf(historyRanges),
} as const;

export type RiskHistorySearch = SearchOf<typeof riskHistoryParameters>;

export interface RiskHistoryProps {
  search: RiskHistorySearch;
  /** Changes some parameters; undefined removes one. */
  onSearch: (change: { readonly [K in keyof RiskHistorySearch]?: RiskHistorySearch[K] | undefined }) => void;
}
