import { activity } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallInput } from '../../lib/api/call.ts';

export type ActivityQuery = NonNullable<CallInput<typeof activity.list>['query']>;

/** One page of the log. */
export const activityQuery = (query: ActivityQuery) =>
  queryOptions({
    queryKey: ['activity', query],
    queryFn: ({ signal }) => call(activity.list, { query, signal }),
    placeholderData: keepPreviousData,
  });

/** All actors of the log, named as in their newest entry. */
export const peopleQuery = queryOptions({
  queryKey: ['activity', 'people'],
  queryFn: async ({ signal }) => {
    const { facets } = await call(activity.facets, { query: { field: ['actorId'] }, signal });
    return facets['actorId']?.values ?? [];
  },
});
