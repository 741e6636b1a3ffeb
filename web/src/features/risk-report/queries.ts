import { projects, riskReport } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** When the member is mailed that a report is due. */
export const schedulesQuery = queryOptions({
  queryKey: ['risk-report', 'schedules'],
  queryFn: ({ signal }) => call(riskReport.schedules, { signal }),
});

/** The project that the report is about, for its name. */
export const reportProjectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'of-report', id],
    queryFn: ({ signal }) => call(projects.get, { params: { id }, signal }),
  });
