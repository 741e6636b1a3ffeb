import type { OrganizationEvent } from '@riskboard/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { isOfDeletedRecord } from '../entity/deleted-records.ts';

/**
 * Queries that an event marks stale, by the start of their key. The first part of a key is the noun (house rule 1). A
 * new event without an entry does not compile.
 */
const staleBy: Record<OrganizationEvent['type'], readonly QueryKey[]> = {
  'job.updated': [['jobs'], ['reports']],
  'file.changed': [['reports'], ['jobs'], ['activity']],
  'vulnerability.changed': [
    ['vulnerabilities'],
    ['reports'],
    ['assets'],
    ['projects'],
    ['search'],
    ['activity'],
  ],
  'threat.changed': [['threats'], ['reports'], ['assets'], ['projects'], ['search'], ['activity']],
  'asset.changed': [['assets'], ['projects'], ['vulnerabilities'], ['threats'], ['search'], ['activity']],
  'project.changed': [['projects'], ['assets'], ['search'], ['activity']],
  'organization.changed': [['accounts'], ['organization'], ['activity']],
};

/** Whether a message type is an event that marks queries stale. */
export const isChange = (type: unknown): type is OrganizationEvent['type'] =>
  typeof type === 'string' && Object.hasOwn(staleBy, type);

/** Milliseconds for which changes are collected, so that a bulk import does not refetch after each batch. */
const gather = 300;

/** Marks queries stale, debounced. */
export function createStaleMarker(queryClient: QueryClient) {
  const waiting = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    timer = undefined;
    for (const queryKey of waiting.values())
      void queryClient.invalidateQueries({
        queryKey,
        predicate: (query) => !isOfDeletedRecord(query.queryKey),
      });
    waiting.clear();
  }

  return {
    mark(type: OrganizationEvent['type']): void {
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
