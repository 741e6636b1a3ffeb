import { useSyncExternalStore } from 'react';

/** A value outside React that components can subscribe to. */
export interface Store<T> {
  get: () => T;
  set: (next: T) => void;
  /** @returns unsubscribes */
  subscribe: (listener: () => void) => () => void;
}

/** Creates a store. Setting an equal value does not notify listeners. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Part of a store's value; renders again when that part changes. */
export const useSelected = <T, Part>(
  store: Pick<Store<T>, 'get' | 'subscribe'>,
  select: (value: T) => Part,
): Part => useSyncExternalStore(store.subscribe, () => select(store.get()));

/** Value of a store; renders again when it changes. */
export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get);
