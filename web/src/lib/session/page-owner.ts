import { createStore, type Store } from '../browser/store.ts';

const shown = createStore<string | undefined>(undefined);
const listeners = new Set<() => void>();
/** Kept after a logout: the next login in this tab may be that of another account. */
let last: string | undefined;

/**
 * The account and organization that this tab shows, as `ownerOf` names them; undefined without a login. Every call names
 * it, because another tab may have replaced the session that all tabs share (decision 72).
 */
export const pageOwner: Store<string | undefined> = {
  get: shown.get,
  subscribe: shown.subscribe,
  set(next) {
    const isOther = next !== undefined && last !== undefined && next !== last;
    last = next ?? last;
    shown.set(next);
    if (isOther) for (const listener of listeners) listener();
  },
};

/** As a reload of the page does: what belongs to the account that was shown is dropped. */
export function forgetOwner(): void {
  shown.set(undefined);
  last = undefined;
  pageChanging.set(false);
  for (const listener of listeners) listener();
}

/** True while the first page of another account or organization loads: nothing of the previous one is shown. */
export const pageChanging = createStore(false);

/** Whether the tab has changed to another account or organization since it showed this one. */
export const isEarlierOwner = (owner: string | undefined): boolean =>
  owner !== undefined && last !== undefined && owner !== last;

/** Calls the listener when the tab shows another account or organization than before. @returns unsubscribes */
export function onOwnerChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A store that returns to its first value when the tab shows another account or organization. */
export function createOwnedStore<T>(initial: T): Store<T> {
  const store = createStore(initial);
  onOwnerChange(() => store.set(initial));
  return store;
}
