import type { OrganizationEvent, ServerMessage } from '@riskboard/contract';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { isOfDeletedRecord } from '../entity/deleted-records.ts';

type MetricsMessage = Extract<ServerMessage['type'], 'metrics.updated'>;

/** Threats and vulnerabilities that reports relate to each other: parts of the pages of both. */
const relatedThreats: readonly QueryKey[] = [
  ['threats', 'related'],
  ['threats', 'graph'],
];
const relatedVulnerabilities: readonly QueryKey[] = [
  ['vulnerabilities', 'related'],
  ['vulnerabilities', 'graph'],
];

/** Assets that a record may concern are listed with the names of their projects. */
const suggestedAssets: readonly QueryKey[] = [
  ['vulnerabilities', 'suggestions'],
  ['threats', 'suggestions'],
];

/**
 * Queries that an event marks stale, by the start of their key. The first part of a key is the noun of the table and of
 * the endpoints. A new event without an entry does not compile.
 */
const staleBy: Record<OrganizationEvent['type'] | MetricsMessage, readonly QueryKey[]> = {
  // The message has the metrics only: categories, last synchronization, trend, priorities and history are fetched.
  'metrics.updated': [['overview']],
  'job.updated': [['jobs'], ['reports'], ['imports'], ['batches'], ['activity']],
  'file.changed': [
    ['reports'],
    ['jobs'],
    ['batches'],
    ['search'],
    ['activity'],
    ...relatedThreats,
    ...relatedVulnerabilities,
  ],
  'vulnerability.changed': [
    ['vulnerabilities'],
    ...relatedThreats,
    ['reports'],
    ['assets'],
    ['projects'],
    // Their numbers of vulnerabilities, and scores in a preview.
    ['weaknesses'],
    ['vignettes'],
    ['search'],
    ['overview'],
    ['activity'],
  ],
  'threat.changed': [
    ['threats'],
    ...relatedVulnerabilities,
    ['reports'],
    ['assets'],
    ['projects'],
    ['search'],
    ['overview'],
    ['activity'],
  ],
  'asset.changed': [
    ['assets'],
    ['projects'],
    ['vulnerabilities'],
    ['threats'],
    ['vignettes', 'preview'],
    ['search'],
    ['overview'],
    ['activity'],
  ],
  'project.changed': [
    ['projects'],
    ['assets'],
    ...suggestedAssets,
    ['risk-report'],
    ['search'],
    ['overview'],
    ['activity'],
  ],
  'vignette.changed': [['vignettes'], ['vulnerabilities'], ['search'], ['activity']],
  'catalogue.changed': [['cwe'], ['weaknesses'], ['vulnerabilities'], ['vignettes'], ['activity']],
  'organization.changed': [['accounts'], ['organization'], ['alerts'], ['activity']],
  'alert.changed': [['alerts'], ['activity']],
  'overview.changed': [['overview'], ['vulnerabilities'], ['threats'], ['assets'], ['projects']],
  'batch.changed': [['batches'], ['activity']],
};

/** Whether a message type is an event that marks queries stale. */
export const isChange = (type: unknown): type is OrganizationEvent['type'] =>
  typeof type === 'string' && type !== 'metrics.updated' && Object.hasOwn(staleBy, type);

/** Milliseconds for which changes are collected: a bulk import refetches at most twice a second. */
const gather = 500;

/** Queries whose running load is repeated when it ends. */
const repeating = new WeakSet<Query>();

/** Fetches a query again when its running load ends: the reply may have been read before the change. */
async function repeatLoad(queryClient: QueryClient, query: Query): Promise<void> {
  if (repeating.has(query)) return;
  repeating.add(query);
  const succeeded = await query.promise?.then(
    () => true,
    () => false,
  );
  repeating.delete(query);
  const { queryKey } = query;
  // Its record may have been deleted meanwhile.
  if (isOfDeletedRecord(queryKey)) return;
  // After an error or a cancellation, the query stays stale without another load.
  const refetchType = succeeded === true ? 'active' : 'none';
  await queryClient.invalidateQueries({ queryKey, exact: true, refetchType }, { cancelRefetch: false });
}

/** Look-ups in the CWE catalogue are cached (spec 7); only a change of the catalogue itself marks them stale. */
const isReference = ([noun]: QueryKey): boolean => noun === 'cwe';

interface Stale {
  /** Start of their keys; absent: all queries. */
  queryKey?: QueryKey;
  /** Except those that have just failed: their error message would disappear and return. */
  exceptFailed?: boolean;
  /** Replaces running loads. Otherwise they end and are repeated: with frequent events, no load would end. */
  cancelRefetch?: boolean;
}

/** Marks queries stale and refetches those that are shown, except those of deleted records. */
export function refetchStale(
  queryClient: QueryClient,
  { queryKey = [], exceptFailed = false, cancelRefetch = false }: Stale = {},
): void {
  const predicate = ({ queryKey: key, state }: Query) =>
    !isOfDeletedRecord(key) &&
    (!isReference(key) || isReference(queryKey)) &&
    !(exceptFailed && state.status === 'error');
  const loading = queryClient.getQueryCache().findAll({ queryKey, predicate, fetchStatus: 'fetching' });
  for (const query of loading) void repeatLoad(queryClient, query);
  void queryClient.invalidateQueries({ queryKey, predicate }, { cancelRefetch });
}

/** Marks queries stale, debounced. */
export function createStaleMarker(queryClient: QueryClient) {
  const waiting = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    timer = undefined;
    for (const queryKey of waiting.values()) refetchStale(queryClient, { queryKey });
    waiting.clear();
  }

  return {
    mark(type: OrganizationEvent['type'] | MetricsMessage): void {
      for (const queryKey of staleBy[type]) waiting.set(JSON.stringify(queryKey), queryKey);
      timer ??= setTimeout(flush, gather);
    },
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
      waiting.clear();
    },
  };
}
