import { search, type Reply } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

export type FoundGroup = Reply<typeof search.everywhere>['groups'][number];
export type FoundNoun = FoundGroup['noun'];

/** Longest text that the API takes. */
export const longestQuery = 200;

/** Records by name or id; the last answer stands while the next one comes. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) => call(search.everywhere, { query: { q: text }, signal }),
    enabled: text !== '',
    placeholderData: text === '' ? undefined : keepPreviousData,
  });
