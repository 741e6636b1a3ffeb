import { createStore, useStore } from '../../lib/browser/store.ts';

const key = 'riskboard.rail';

function stored(): boolean {
  try {
    return localStorage.getItem(key) === 'narrow';
  } catch {
    return false;
  }
}

const narrow = createStore(stored());

/** Shows icons alone, or icons and words; remembered. */
export function setRailNarrow(next: boolean): void {
  narrow.set(next);
  try {
    localStorage.setItem(key, next ? 'narrow' : 'wide');
  } catch {
    // Storage may be switched off: the choice holds until the page is left.
  }
}

export const useRailNarrow = (): boolean => useStore(narrow);
