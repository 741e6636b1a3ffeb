import { jobs } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** Jobs of one file, newest first. */
export const fileJobsQuery = (fileId: string) =>
  queryOptions({
    queryKey: ['jobs', { fileId }],
    queryFn: ({ signal }) => call(jobs.list, { query: { fileId, pageSize: 50 }, signal }),
  });
