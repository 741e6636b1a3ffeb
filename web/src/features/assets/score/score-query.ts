import { assets } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';

/** How the score of an asset comes about, with its history. */
export const scoreQuery = (id: string) =>
  queryOptions({
    queryKey: ['assets', 'score', id],
    queryFn: ({ signal }) => call(assets.score, { params: { id }, signal }),
  });
