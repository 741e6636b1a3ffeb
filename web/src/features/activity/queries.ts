import { activity } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallInput } from '../../lib/call.ts';

export type ActivityQuery = NonNullable<CallInput<typeof activity.list>['query']>;

/** One page of the log. */
export const activityQuery = (query: ActivityQuery) =>
  queryOptions({
    queryKey: ['activity', query],
    queryFn: ({ signal }) => call(activity.list, { query, signal }),
    placeholderData: keepPreviousData,
  });

/** People, areas and actions that the log knows; the choices of the filters. */
export const activityFacetsQuery = queryOptions({
  queryKey: ['activity', 'facets'],
  queryFn: ({ signal }) => call(activity.facets, { signal }),
});
