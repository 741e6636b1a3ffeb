import { projects } from '@riskboard/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** Counts of the project dashboard. */
export const projectMetricsQuery = queryOptions({
  queryKey: ['projects', 'metrics'],
  queryFn: ({ signal }) => call(projects.metrics, { signal }),
});

/** What is at risk in a project. */
export const projectRiskQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'risk', id],
    queryFn: ({ signal }) => call(projects.risk, { params: { id }, signal }),
  });

/** Recorded risk scores of a project's assets from `from` until now; without `from`, since the first recorded day. */
export const projectRiskHistoryQuery = (id: string, from: string | undefined) =>
  queryOptions({
    queryKey: ['projects', 'risk-history', id, from ?? 'all'],
    queryFn: ({ signal }) =>
      call(projects.riskHistory, { params: { id }, query: from === undefined ? {} : { from }, signal }),
    placeholderData: keepPreviousData,
  });

/** What the deletion of a project deletes, counted when the dialog opens. */
export const projectDeletionQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'deletion', id],
    queryFn: ({ signal }) => call(projects.deletionPreview, { params: { id }, signal }),
    staleTime: 0,
  });
