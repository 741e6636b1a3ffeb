import { cvss } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './api/call.ts';

/** Scores of a vector that passed the check; the last one's stay in sight while the next are on their way. */
export const cvssScoreQuery = (vector: string) =>
  queryOptions({
    queryKey: ['cvss', vector],
    queryFn: ({ signal }) => call(cvss.score, { body: { vector }, signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
