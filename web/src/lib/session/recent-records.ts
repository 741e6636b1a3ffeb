import { searchNouns } from '@riskboard/contract';
import { useEffect } from 'react';
import { createStore, useStore } from '../browser/store.ts';
import { useUser } from './account.ts';

export interface RecentRecord {
  noun: (typeof searchNouns)[number];
  _id: string;
  title: string;
}

const prefix = 'riskboard.recent.';
const most = 6;

/** Changes whenever a list of recent records changes, so that readers render again. */
const changes = createStore(0);

/** Whether a stored value has the format that `remember` writes; another version may have stored something else. */
function isRecent(raw: unknown): raw is RecentRecord {
  const { noun, _id, title } = (raw ?? {}) as Partial<RecentRecord>;
  return searchNouns.some((known) => known === noun) && typeof _id === 'string' && typeof title === 'string';
}

function read(key: string): RecentRecord[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) && kept.every(isRecent) ? kept : [];
  } catch {
    return [];
  }
}

function remember(key: string, { noun, _id, title }: RecentRecord): void {
  const next = [{ noun, _id, title }, ...read(key).filter((other) => other._id !== _id)].slice(0, most);
  try {
    sessionStorage.setItem(key, JSON.stringify(next));
  } catch {
    // Storage may be disabled; nothing is remembered then.
  }
  changes.set(changes.get() + 1);
}

/** Forgets records that no longer exist, so that no page loads them in vain. */
export function forgetRecords(ids: readonly string[]): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (!key.startsWith(prefix)) continue;
      const kept = read(key);
      const next = kept.filter(({ _id }) => !ids.includes(_id));
      if (next.length < kept.length) sessionStorage.setItem(key, JSON.stringify(next));
    }
  } catch {
    // Storage may be disabled; nothing was remembered then.
  }
  changes.set(changes.get() + 1);
}

/** Forgets all recent records, because the session ended or another one begins. */
export function forgetRecentRecords(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Storage may be disabled; nothing was remembered then.
  }
  changes.set(changes.get() + 1);
}

function useKey(): string {
  const { _id, organizationId } = useUser();
  return `${prefix}${_id}.${organizationId}`;
}

/**
 * Records that this user opened in this organization, newest first. They are kept for the life of the tab and the session
 * only, so that names of weaknesses do not stay on the machine.
 */
export function useRecentRecords(): readonly RecentRecord[] {
  useStore(changes);
  return read(useKey());
}

/** Remembers a record whose page is shown; undefined while it loads. */
export function useRememberedRecord(record: RecentRecord | undefined): void {
  const key = useKey();
  const { noun, _id, title } = record ?? {};
  useEffect(() => {
    if (noun !== undefined && _id !== undefined && title !== undefined) remember(key, { noun, _id, title });
  }, [key, noun, _id, title]);
}
