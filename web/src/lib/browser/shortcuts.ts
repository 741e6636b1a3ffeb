import { useEffect, useEffectEvent } from 'react';
import { createStore, useStore } from './store.ts';

export interface Shortcut {
  /**
   * As `KeyboardEvent.key` says it, letters in lower case: `j`, `?`; two keys one after the other: `g v`. What is told
   * in the help and taken elsewhere may be any words: `Enter`, `Mod K` (Ctrl, or ⌘ on a Mac).
   */
  readonly keys: string;
  /** What it does: 'Next row'. */
  readonly label: string;
  /** Absent: told in the help, taken elsewhere. */
  readonly run?: () => void;
}

/** Shortcuts of one part of a page, as the help shows them. */
interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Pick<Shortcut, 'keys' | 'label'>[];
}

interface Registered extends ShortcutGroup {
  readonly run: (keys: string) => void;
  /** Which of the keys this group takes itself. */
  readonly taken: ReadonlySet<string>;
}

/** Milliseconds in which the second key of two must follow. */
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

/** Switches keys that act by themselves on or off, for this browser (WCAG 2.1.4). */
export function setSingleKeys(on: boolean): void {
  enabled.set(on);
  try {
    if (on) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, 'off');
  } catch {
    // Storage may be switched off: the choice holds until the page is left.
  }
}

/** Whether keys that act by themselves are on. */
export const useSingleKeys = (): boolean => useStore(enabled);

/** Takes the key for the group that came last, so that what lies on top of a page comes first. */
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

/** @returns takes the group away again */
function register(group: Registered): () => void {
  if (registered.get().length === 0) document.addEventListener('keydown', onKeyDown);
  registered.set([...registered.get(), group]);
  return () => {
    registered.set(registered.get().filter((other) => other !== group));
    if (registered.get().length === 0) document.removeEventListener('keydown', onKeyDown);
  };
}

/**
 * Keys that act while the component is shown; the help (`?`) tells them. They never fire while somebody types, with a
 * modifier, inside what takes keys of its own, or when a person has switched them off.
 * @param title what they belong to: 'List'; groups of one title stand together in the help
 */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[], on = true): void {
  const run = useEffectEvent((keys: string) => shortcuts.find((one) => one.keys === keys)?.run?.());
  const told = JSON.stringify(shortcuts.map(({ keys, label, run: own }) => [keys, label, own !== undefined]));
  useEffect(() => {
    if (!on) return undefined;
    const all = JSON.parse(told) as [keys: string, label: string, own: boolean][];
    return register({
      title,
      shortcuts: all.map(([keys, label]) => ({ keys, label })),
      taken: new Set(all.flatMap(([keys, , own]) => (own ? [keys] : []))),
      run: (keys) => run(keys),
    });
  }, [title, told, on]);
}

/** What can be pressed on this page now, group by group, each key once. */
export function useShortcutGroups(): ShortcutGroup[] {
  const titles = new Map<string, Map<string, string>>();
  for (const { title, shortcuts } of useStore(registered)) {
    const labels = titles.get(title) ?? new Map<string, string>();
    titles.set(title, labels);
    for (const { keys, label } of shortcuts) labels.set(keys, label);
  }
  return [...titles].map(([title, labels]) => ({
    title,
    shortcuts: [...labels].map(([keys, label]) => ({ keys, label })),
  }));
}

const writes = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';
const takesKeys = `${writes}, [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]`;

/**
 * Whether a key was pressed that stands for an action by itself: without a modifier, not while somebody types, and not
 * inside something that takes keys of its own, such as a menu (WCAG 2.1.4).
 */
function isSingleKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target instanceof Element && event.target.closest(takesKeys) !== null);
}
