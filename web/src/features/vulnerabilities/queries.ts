import { vulnerabilities } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallInput } from '../../lib/call.ts';

type FromReportsQuery = NonNullable<CallInput<typeof vulnerabilities.fromReports>['query']>;
type VulnerabilitiesQuery = NonNullable<CallInput<typeof vulnerabilities.list>['query']>;

/** Vulnerabilities that reports assert; rows without a source file are no part of it (spec 5, Lists). */
export const fromReportsQuery = (query: FromReportsQuery) =>
  queryOptions({
    queryKey: ['vulnerabilities', 'from-reports', query],
    queryFn: ({ signal }) => call(vulnerabilities.fromReports, { query, signal }),
    placeholderData: keepPreviousData,
  });

/** All vulnerabilities of the organisation. */
export const vulnerabilitiesQuery = (query: VulnerabilitiesQuery) =>
  queryOptions({
    queryKey: ['vulnerabilities', 'list', query],
    queryFn: ({ signal }) => call(vulnerabilities.list, { query, signal }),
    placeholderData: keepPreviousData,
  });
