import { useEffect, useEffectEvent } from 'react';
import { createStore, useStore } from './store.ts';

export interface Shortcut {
  /**
   * As in `KeyboardEvent.key`, letters in lower case: `j`, `?`; two keys in sequence: `g v`. Without `run` any text
   * for the help: `Enter`, `Mod K` (Ctrl, or ⌘ on a Mac).
   */
  readonly keys: string;
  /** Description: 'Next row'. */
  readonly label: string;
  /** Absent: only listed in the help; other code handles the key. */
  readonly run?: () => void;
}

/** Shortcuts of one part of a page. */
interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly ListedShortcut[];
}

interface ListedShortcut extends Pick<Shortcut, 'keys' | 'label'> {
  /** The user can disable it with the other single-key shortcuts; other code handles the rest. */
  readonly isSingleKey: boolean;
}

interface Registered extends ShortcutGroup {
  readonly run: (keys: string) => void;
  /** Keys that this group handles. */
  readonly taken: ReadonlySet<string>;
}

/** Milliseconds within which the second key must follow. */
const patience = 1200;
const storageKey = 'riskboard.single-keys';

const registered = createStore<readonly Registered[]>([]);
const enabled = createStore(stored());
let begun = { key: '', at: 0 };

function stored(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

/** Enables or disables single-key shortcuts in this browser (WCAG 2.1.4). */
export function setSingleKeys(on: boolean): void {
  enabled.set(on);
  try {
    if (on) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, 'off');
  } catch {
    // Storage may be disabled; the choice then lasts until the page is closed.
  }
}

/** Whether single-key shortcuts are enabled. */
export const useSingleKeys = (): boolean => useStore(enabled);

/** The group added last handles a key first, so that overlays come before the page. */
function take(keys: string): boolean {
  const group = registered.get().findLast(({ taken }) => taken.has(keys));
  group?.run(keys);
  return group !== undefined;
}

const begins = (key: string) =>
  registered.get().some(({ taken }) => [...taken].some((keys) => keys.startsWith(`${key} `)));

function onKeyDown(event: KeyboardEvent): void {
  const { key: first, at } = begun;
  begun = { key: '', at: 0 };
  if (!enabled.get() || !isSingleKey(event)) return;
  const key = event.key.toLowerCase();
  const second = first !== '' && event.timeStamp - at < patience;
  if ((second && take(`${first} ${key}`)) || take(key)) event.preventDefault();
  else if (begins(key)) begun = { key, at: event.timeStamp };
}

/** @returns removes the group */
function register(group: Registered): () => void {
  if (registered.get().length === 0) document.addEventListener('keydown', onKeyDown);
  registered.set([...registered.get(), group]);
  return () => {
    registered.set(registered.get().filter((other) => other !== group));
    if (registered.get().length === 0) document.removeEventListener('keydown', onKeyDown);
  };
}

/**
 * Shortcuts that work while the component is mounted; the help (`?`) lists them. They do not run while the user types,
 * with a modifier, inside elements with their own keys, or when the user has disabled them.
 * @param title group in the help, such as 'List'; groups with the same title are merged
 */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[], on = true): void {
  const run = useEffectEvent((keys: string) => shortcuts.find((one) => one.keys === keys)?.run?.());
  const description = JSON.stringify(
    shortcuts.map(({ keys, label, run: own }) => [keys, label, own !== undefined]),
  );
  useEffect(() => {
    if (!on) return undefined;
    const all = JSON.parse(description) as [keys: string, label: string, isSingleKey: boolean][];
    return register({
      title,
      shortcuts: all.map(([keys, label, isSingleKey]) => ({ keys, label, isSingleKey })),
      taken: new Set(all.flatMap(([keys, , isSingleKey]) => (isSingleKey ? [keys] : []))),
      run: (keys) => run(keys),
    });
  }, [title, description, on]);
}

/** The shortcuts of the current page by group, each key once. */
export function useShortcutGroups(): ShortcutGroup[] {
  const titles = new Map<string, Map<string, ListedShortcut>>();
  for (const { title, shortcuts } of useStore(registered)) {
    const byKeys = titles.get(title) ?? new Map<string, ListedShortcut>();
    titles.set(title, byKeys);
    for (const shortcut of shortcuts) byKeys.set(shortcut.keys, shortcut);
  }
  return [...titles].map(([title, byKeys]) => ({ title, shortcuts: [...byKeys.values()] }));
}

const writes = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';
const takesKeys = `${writes}, [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]`;

/**
 * Whether a key press may run a single-key shortcut: no modifier, not while typing, and not inside an element with its
 * own keys, such as a menu (WCAG 2.1.4).
 */
function isSingleKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target instanceof Element && event.target.closest(takesKeys) !== null);
}
