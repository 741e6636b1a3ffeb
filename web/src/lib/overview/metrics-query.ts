import { overview, type Reply } from '@riskboard/contract';
import { queryOptions, replaceEqualDeep, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';

export type Metrics = Reply<(typeof overview)['metrics']>;

/** Milliseconds by which a reply may be late. A reply older than that was read after the clock of the database was set back. */
const mostLateMs = 60_000;

/** The newer of two replies: one that was read earlier may arrive later. */
function newer(before: Metrics | undefined, next: Metrics): Metrics {
  if (before === undefined) return next;
  const lateMs = Date.parse(before.asOf) - Date.parse(next.asOf);
  return lateMs > 0 && lateMs < mostLateMs ? before : replaceEqualDeep(before, next);
}

/** Numbers, status, alerts, insights and funnel of the overview. */
export const metricsQuery = queryOptions({
  queryKey: ['overview', 'metrics'],
  queryFn: ({ signal }): Promise<Metrics> => call(overview.metrics, { signal }),
  structuralSharing: (before, next) => newer(before as Metrics | undefined, next as Metrics),
});

/** Shows metrics that arrived in an event, unless newer ones are shown. */
export function receiveMetrics(queryClient: QueryClient, metrics: Metrics): void {
  queryClient.setQueryData(metricsQuery.queryKey, metrics);
}
