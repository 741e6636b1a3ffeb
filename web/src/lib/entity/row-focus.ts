import { useEffect, type RefObject } from 'react';
import { createStore, useStore } from '../browser/store.ts';

/** Where the focus goes once deleted rows have left the list, or the selection has ended. */
interface RowFocus {
  noun: string;
  deleted: ReadonlySet<string>;
  /** Ids of the rows that may take it: the next ones first, then the previous ones. */
  candidates: readonly string[];
  /** Milliseconds of `performance.now()`. */
  at: number;
}

export const requestedFocus = createStore<RowFocus | undefined>(undefined);

/** The deletion failed: the focus stays where it is. */
export const cancelRowFocus = (): void => requestedFocus.set(undefined);

/** Milliseconds after which a list that appears no longer takes the focus. */
const longest = 10_000;
/** Animation frames in which a closing menu or dialog may move the focus once more. */
const frames = 30;

/** Whether the focus is nowhere, or in a menu or dialog that is closing. */
const isFree = (active: Element | null): boolean =>
  active === null ||
  active === document.body ||
  active.closest('[role="menu"], [role="alertdialog"], [data-ending-style]') !== null;

/** Moves the focus there, unless the user moves it elsewhere first. */
function focusSoon(find: () => HTMLElement | null, left = frames): void {
  const target = find();
  const active = document.activeElement;
  if (target !== null && active !== target) {
    if (!isFree(active)) return;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
  if (left > 0) requestAnimationFrame(() => focusSoon(find, left - 1));
}

/**
 * Moves the focus to the row after deleted ones, to the previous row when they were the last, and to the action of the
 * empty state when no row is left.
 * @param ids ids of the rows on the page; undefined while they load
 */
export function useFocusAfterDeletion(
  list: RefObject<HTMLElement | null>,
  noun: string,
  ids: readonly string[] | undefined,
): void {
  const request = useStore(requestedFocus);
  useEffect(() => {
    if (request === undefined || request.noun !== noun || ids === undefined) return;
    if (ids.some((id) => request.deleted.has(id))) return;
    requestedFocus.set(undefined);
    if (performance.now() - request.at > longest) return;
    const known = request.candidates.map((id) => ids.indexOf(id)).find((index) => index !== -1);
    const row = `:is(tr, article)[data-index="${known ?? 0}"]`;
    const selector = ids.length === 0 ? '[data-empty] :is(a, button), [data-empty]' : row;
    focusSoon(() => list.current?.querySelector<HTMLElement>(selector) ?? null);
  }, [request, noun, ids, list]);
}
