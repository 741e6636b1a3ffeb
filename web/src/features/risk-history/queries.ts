import { overview, type Reply } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

export type Explanation = Reply<(typeof overview)['explain']>;
export type Changes = Reply<(typeof overview)['changes']>;
export type Priorities = Reply<(typeof overview)['priorities']>;
export type History = Reply<(typeof overview)['history']>;

/** How a number of the overview is calculated. */
export const explanationQuery = (metric: Explanation['metric']) =>
  queryOptions({
    queryKey: ['overview', 'explain', metric],
    queryFn: ({ signal }) => call(overview.explain, { params: { metric }, signal }),
  });

/** Causes of the change of a score between the ends of two UTC days. */
export const changesQuery = (
  measure: Changes['measure'],
  { from, to }: { readonly from: string; readonly to: string },
) =>
  queryOptions({
    queryKey: ['overview', 'changes', measure, from, to],
    queryFn: ({ signal }) => call(overview.changes, { query: { from, to, measure }, signal }),
    placeholderData: keepPreviousData,
  });

/** The changes that would lower the overall risk score most. */
export const prioritiesQuery = queryOptions({
  queryKey: ['overview', 'priorities'],
  queryFn: ({ signal }) => call(overview.priorities, { signal }),
});

/** Recorded numbers of each UTC day from `from` until `to`; without `from`, since the first recorded day. */
export const historyQuery = (from: string | undefined, to: string) =>
  queryOptions({
    queryKey: ['overview', 'history', from ?? 'all', to],
    queryFn: ({ signal }) =>
      call(overview.history, { query: { to, ...(from !== undefined && { from }) }, signal }),
    placeholderData: keepPreviousData,
  });
