import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { entryOf } from '../browser/page-focus.ts';
import { createOwnedStore } from '../session/page-owner.ts';

/** Values of lists whose pages were left, by entry of the history and name. */
const kept = createOwnedStore<ReadonlyMap<string, unknown>>(new Map());

/** Values kept at once; the oldest ones are dropped. */
const mostKept = 50;

/**
 * State that returns with the page: it is kept when the user leaves the path, and restored when Back or Forward returns
 * to the same entry of the history. A new entry begins with `initial`, and so does a reload.
 */
export function useKeptState<T>(name: string, initial: T): [T, (next: T) => void] {
  const router = useRouter();
  const keyOf = (location: Parameters<typeof entryOf>[0]) => `${entryOf(location)} ${name}`;
  const [value, setValue] = useState(() => {
    const key = keyOf(router.state.location);
    return kept.get().has(key) ? (kept.get().get(key) as T) : initial;
  });
  useEffect(() =>
    router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return;
      const key = keyOf(fromLocation);
      const others = [...kept.get()].filter(([one]) => one !== key);
      const mine = Object.is(value, initial) ? [] : [[key, value] as const];
      kept.set(new Map([...others, ...mine].slice(-mostKept)));
    }),
  );
  return [value, setValue];
}
