import { useCallback, useSyncExternalStore } from 'react';
import { layoutOf, standardLayout, type ListLayout } from './list-layout.ts';
import { useUser } from '../session/account.ts';

interface Kept {
  readonly raw: string | null;
  readonly layout: ListLayout;
}

/** What was read last, so that the same text is the same object; it serves alone where storage is switched off. */
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
    // Storage may be switched off: the layout holds until the page is left.
  }
  for (const listener of listeners) listener();
}

/** Other windows of the same person follow. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** How the person who is signed in likes this list's table; kept in this browser. */
export function useListLayout(route: string): [ListLayout, (layout: ListLayout) => void] {
  const key = `riskboard.list.${useUser()._id}.${route}`;
  const layout = useSyncExternalStore(
    subscribe,
    useCallback(() => read(key), [key]),
  );
  return [layout, useCallback((next: ListLayout) => write(key, next), [key])];
}
