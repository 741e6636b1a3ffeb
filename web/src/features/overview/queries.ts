import { reports } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** Counts over all reports of the organization. */
export const overviewQuery = queryOptions({
  queryKey: ['reports', 'overview'],
  queryFn: ({ signal }) => call(reports.overview, { signal }),
});

/** Number of files in the list on the dashboard. */
const mostRecent = 3;

/** The latest uploads. */
export const recentFilesQuery = queryOptions({
  queryKey: ['reports', 'files', 'recent'],
  queryFn: ({ signal }) =>
    call(reports.files, { query: { pageSize: mostRecent, sort: '-uploadDate' }, signal }),
});
