import type { QueryClient } from '@tanstack/react-query';
import { cachedPages, type Selection } from './cache.ts';
import { requestedFocus } from './row-focus.ts';

/** The rows after the first deleted one, then those before it, nearest first. */
function neighbours(ids: readonly string[], deleted: ReadonlySet<string>): string[] {
  const first = ids.findIndex((id) => deleted.has(id));
  const ordered = [...ids.slice(first), ...ids.slice(0, Math.max(first, 0)).toReversed()];
  return ordered.filter((id) => !deleted.has(id));
}

/** Called after an action on selected rows, whose button goes with the selection: the list moves the focus to the first of them. */
export function requestSelectedFocus(noun: string, selection: Selection): void {
  const candidates = 'ids' in selection ? selection.ids : [];
  requestedFocus.set({ noun, deleted: new Set(), candidates, at: performance.now() });
}

/** Called before rows are deleted: the list that shows them next moves the focus to the row that follows them. */
export function requestRowFocus(queryClient: QueryClient, noun: string, selection: Selection): void {
  const deleted = new Set('ids' in selection ? selection.ids : []);
  const page = cachedPages(queryClient, noun).find((ids) => ids.some((id) => deleted.has(id)));
  const candidates = page === undefined ? [] : neighbours(page, deleted);
  requestedFocus.set({ noun, deleted, candidates, at: performance.now() });
}
