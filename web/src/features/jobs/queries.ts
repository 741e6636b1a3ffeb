import { jobs } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallInput } from '../../lib/api/call.ts';

export type JobsQuery = NonNullable<CallInput<typeof jobs.list>['query']>;

/** One page of the background jobs. */
export const jobsQuery = (query: JobsQuery) =>
  queryOptions({
    queryKey: ['jobs', query],
    queryFn: ({ signal }) => call(jobs.list, { query, signal }),
    placeholderData: keepPreviousData,
  });

/** Ended jobs shown in the drawer. */
export const recentJobsQuery = jobsQuery({ pageSize: 50 });
