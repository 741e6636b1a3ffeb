import { jobs, reports, type ReportFile } from '@riskboard/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call, type CallInput } from '../../lib/api/call.ts';

export type FilesQuery = NonNullable<CallInput<typeof reports.files>['query']>;

/** One page of the uploaded reports. */
export const filesQuery = (query: FilesQuery) =>
  queryOptions({
    queryKey: ['reports', 'files', query],
    queryFn: ({ signal }) => call(reports.files, { query, signal }),
    placeholderData: keepPreviousData,
  });

const counts = {
  vulnerabilities: { endpoint: reports.vulnerabilityCount, failure: 'Failed to count vulnerabilities' },
  threats: { endpoint: reports.threatCount, failure: 'Failed to count threats' },
} as const;
export type Counted = keyof typeof counts;

interface CountOf {
  readonly fileId: string;
  readonly counted: Counted;
  /** Count in the list. Part of the key: the count is fetched again when the list shows another number, only then. */
  readonly listed: number;
}

/** Number of records extracted from a report. A failure is only logged (spec 8); the cell shows N/A. */
export const countQuery = ({ fileId, counted, listed }: CountOf) =>
  queryOptions({
    // Not under 'reports', which every progress event of a job invalidates.
    queryKey: ['report-counts', fileId, counted, listed],
    queryFn: async ({ signal }) => {
      const { endpoint, failure } = counts[counted];
      try {
        return (await call(endpoint, { params: { id: fileId }, signal })).count;
      } catch (error) {
        // oxlint-disable-next-line no-console -- spec 8: a failed count lookup is only logged
        if (!signal.aborted) console.warn(failure, fileId, error);
        throw error;
      }
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

export const importReportQuery = (fileId: string) =>
  queryOptions({
    queryKey: ['reports', 'import', fileId],
    queryFn: ({ signal }) => call(reports.importReport, { params: { id: fileId }, signal }),
  });

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

/**
 * A file by name and id, read from the list, which does not include the content. Undefined until the file or its name is
 * known.
 */
export function useFile(fileId: string, name: string | undefined): ReportFile | undefined {
  const { data } = useQuery({ ...filesQuery({ name: [name ?? ''] }), enabled: name !== undefined });
  return data?.files.find(({ _id }) => _id === fileId);
}

/** Name of the file that a list is filtered by; undefined until it is loaded. */
export function useFileName(fileId: string | undefined): string | undefined {
  const { data } = useQuery({
    ...importReportQuery(fileId ?? ''),
    select: (report) => report.originalFilename,
    enabled: fileId !== undefined,
  });
  return data;
}
