import { useCallback, useSyncExternalStore } from 'react';
import { layoutOf, standardLayout, type ListLayout } from './list-layout.ts';
import { useUser } from '../session/account.ts';

interface Kept {
  readonly raw: string | null;
  readonly layout: ListLayout;
}

/** Last parsed layout, so that equal text gives the same object; also the fallback when storage is disabled. */
const kept = new Map<string, Kept>();
const listeners = new Set<() => void>();

function parsed(raw: string | null): ListLayout {
  try {
    return layoutOf(JSON.parse(raw ?? '{}'));
  } catch {
    return standardLayout;
  }
}

function read(key: string): ListLayout {
  const last = kept.get(key);
  try {
    const raw = localStorage.getItem(key);
    if (last?.raw === raw) return last.layout;
    const layout = parsed(raw);
    kept.set(key, { raw, layout });
    return layout;
  } catch {
    return last?.layout ?? standardLayout;
  }
}

function write(key: string, layout: ListLayout): void {
  const raw = JSON.stringify(layout);
  kept.set(key, { raw, layout });
  try {
    localStorage.setItem(key, raw);
  } catch {
    // Storage may be disabled; the layout then lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

/** Other windows of the user are updated. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** The signed-in user's table layout for this list; stored in this browser. */
export function useListLayout(route: string): [ListLayout, (layout: ListLayout) => void] {
  const key = `riskboard.list.${useUser()._id}.${route}`;
  const layout = useSyncExternalStore(
    subscribe,
    useCallback(() => read(key), [key]),
  );
  return [layout, useCallback((next: ListLayout) => write(key, next), [key])];
}
