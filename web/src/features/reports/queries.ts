import { reports } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
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
