import { threats } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallInput } from '../../lib/call.ts';

export type ThreatsQuery = NonNullable<CallInput<typeof threats.list>['query']>;

/** One page of the threats of the organisation. */
export const threatsQuery = (query: ThreatsQuery) =>
  queryOptions({
    queryKey: ['threats', 'list', query],
    queryFn: ({ signal }) => call(threats.list, { query, signal }),
    placeholderData: keepPreviousData,
  });
