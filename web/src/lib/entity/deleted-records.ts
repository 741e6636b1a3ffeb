import type { QueryKey } from '@tanstack/react-query';

/** Ids of records that were deleted in this window and not restored. */
const deleted = new Set<string>();

export const markDeleted = (id: string): void => void deleted.add(id);

export const markRestored = (ids: readonly string[]): void => ids.forEach((id) => deleted.delete(id));

/**
 * Whether a query asks for a record that was deleted in this window. Such a query is not refetched: it would only fail
 * with 404 until the page leads to the list. Records that other users delete are refetched, and the page shows that
 * they are deleted.
 */
export const isOfDeletedRecord = (queryKey: QueryKey): boolean =>
  queryKey.some((part) => typeof part === 'string' && deleted.has(part));
