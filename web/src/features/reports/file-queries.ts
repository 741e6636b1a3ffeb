import { jobs, type ReportFile } from '@riskboard/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';
import { filesQuery } from './queries.ts';

/** Jobs of one file, newest first. */
export const fileJobsQuery = (fileId: string) =>
  queryOptions({
    queryKey: ['jobs', { fileId }],
    queryFn: ({ signal }) => call(jobs.list, { query: { fileId, pageSize: 50 }, signal }),
  });

/** Jobs of a file that the job store no longer has. */
export const forgottenJobsQuery = (fileId: string) =>
  queryOptions({
    // Not under 'jobs', which every new state of a job invalidates.
    queryKey: ['report-jobs', fileId],
    queryFn: async ({ signal }) => (await call(jobs.list, { query: { fileId, pageSize: 50 }, signal })).jobs,
  });

/** A file by name and id, read from the list, which does not include the content. Starts when the name is known. */
export const useFileQuery = (fileId: string, name: string | undefined) =>
  useQuery({
    ...filesQuery({ name: [name ?? ''] }),
    select: ({ files }) => files.find(({ _id }) => _id === fileId),
    enabled: name !== undefined,
  });

/** The data of {@link useFileQuery}: undefined until the file or its name is known. */
export const useFile = (fileId: string, name: string | undefined): ReportFile | undefined =>
  useFileQuery(fileId, name).data;
