import type { QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createStore, useSelected } from '../browser/store.ts';

/** Ids of records that were deleted in this window and not restored. */
export const deletedRecords = createStore<ReadonlySet<string>>(new Set());

export const markDeleted = (...ids: readonly string[]): void =>
  deletedRecords.set(new Set([...deletedRecords.get(), ...ids]));

export function markRestored(ids: readonly string[]): void {
  const restored = new Set(ids);
  deletedRecords.set(new Set([...deletedRecords.get()].filter((id) => !restored.has(id))));
}

/**
 * For the rows that a list shows, without those that are being deleted: a record that was deleted in this window and is
 * listed exists again. Another window restored it, or an extraction created it again.
 */
export function useListed<Row>(rows: readonly Row[], idOf: (row: Row) => string): void {
  useEffect(() => {
    const deleted = deletedRecords.get();
    const listed = rows.map((row) => idOf(row)).filter((id) => deleted.has(id));
    if (listed.length > 0) markRestored(listed);
  }, [rows, idOf]);
}

/** Whether a record was deleted in this window. */
export const useIsDeleted = (id: string | undefined): boolean =>
  useSelected(deletedRecords, (ids) => id !== undefined && ids.has(id));

/**
 * Whether a query asks for a record that was deleted in this window. Such a query is not refetched: it would only fail
 * with 404 until the page leads to the list. Records that other users delete are refetched, and the page shows that
 * they are deleted.
 */
export const isOfDeletedRecord = (queryKey: QueryKey): boolean =>
  queryKey.some((part) => typeof part === 'string' && deletedRecords.get().has(part));
