import { useMemo } from 'react';
import { createStore, useStore } from '../browser/store.ts';
import { onOwnerChange } from '../session/page-owner.ts';
import { useListed } from './deleted-records.ts';
import type { Body } from './entity.ts';

/** A record that is being created, as lists show it until the server has answered. */
export interface PendingRecord {
  readonly _id: string;
  readonly noun: string;
  readonly name: string;
  /** Its other fields, as a list's row carries them. */
  readonly row: Body;
  /** When the user sent it: milliseconds since the epoch, by the browser's clock. */
  readonly startedAt: number;
  /** Id of the saved record, once the server has answered. */
  readonly savedAs?: string;
}

const created = createStore<readonly PendingRecord[]>([]);
const deleting = createStore<ReadonlySet<string>>(new Set());

/** Closing the window would cancel what is being sent. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function setCreated(next: readonly PendingRecord[]): void {
  if (next.some(({ savedAs }) => savedAs === undefined)) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
  created.set(next);
}

// What is still being sent belongs to the lists of the other account or organization.
onOwnerChange(() => setCreated([]));

let count = 0;

/**
 * Shows a record in its lists until `endCreation`. Returns its id.
 * @param row as lists show it, with `createdAt`
 */
export function startCreation(noun: string, row: Body): string {
  count += 1;
  // `crypto.randomUUID` exists only in secure contexts.
  const _id = `pending-${count}`;
  const name = typeof row['name'] === 'string' ? row['name'] : '';
  setCreated([
    ...created.get(),
    { _id, noun, name, row: { ...row, _id }, startedAt: Date.parse(String(row['createdAt'])) },
  ]);
  return _id;
}

/** The server has created the record: it is shown until the lists have loaded it. */
export const creationSaved = (id: string, savedAs: string): void =>
  setCreated(created.get().map((one) => (one._id === id ? { ...one, savedAs } : one)));

export const endCreation = (id: string): void => setCreated(created.get().filter(({ _id }) => _id !== id));

/** Hides records from every list while the server deletes them, also from lists that load meanwhile. */
export const startDeletion = (ids: readonly string[]): void =>
  deleting.set(new Set([...deleting.get(), ...ids]));

export function endDeletion(ids: readonly string[]): void {
  const ended = new Set(ids);
  deleting.set(new Set([...deleting.get()].filter((id) => !ended.has(id))));
}

/** Milliseconds by which the clocks of browser and server may differ. */
const clockSkew = 60_000;

/** How a list reads its rows. */
interface ReadRow<Row> {
  id: (row: Row) => string;
  name: (row: Row) => string;
}

interface List<Row, State> {
  noun: string;
  row: ReadRow<Row>;
  filter: (state: State) => Record<string, unknown>;
}

/** Whether a row is the record that is being created: a list may have loaded it before the server's reply arrived. */
function isSame<Row extends object>(
  { savedAs, name, startedAt }: PendingRecord,
  row: Row,
  read: ReadRow<Row>,
) {
  if (savedAs !== undefined) return read.id(row) === savedAs;
  const createdAt = 'createdAt' in row ? Date.parse(String(row.createdAt)) : Number.NaN;
  return read.name(row) === name && createdAt >= startedAt - clockSkew;
}

interface Shown<Row> {
  /** Records that are being created, then the saved ones. */
  rows: readonly Row[];
  /** Names of the records that are being created, by id. */
  pending: ReadonlyMap<string, string>;
  /** Rows of records that exist. */
  saved: readonly Row[];
  /** Number of rows that are being deleted. */
  hiddenCount: number;
}

/**
 * The rows of a page without the records that are being deleted; on the first page of a list without filters, with
 * those that are being created.
 */
export function usePendingRecords<Row extends object, State extends { page: number }>(
  rows: readonly Row[],
  { noun, row: read, filter }: List<Row, State>,
  state: State,
): Shown<Row> {
  const takesNew = state.page === 1 && Object.keys(filter(state)).length === 0;
  const hidden = useStore(deleting);
  const all = useStore(created);
  const shown = useMemo(() => {
    const saved = hidden.size === 0 ? rows : rows.filter((row) => !hidden.has(read.id(row)));
    const pending = all
      .filter((one) => takesNew && one.noun === noun && !rows.some((row) => isSame(one, row, read)))
      .toReversed();
    return {
      // A preview has every field that a list shows.
      rows: pending.length === 0 ? saved : [...pending.map(({ row }) => row as unknown as Row), ...saved],
      pending: new Map(pending.map(({ _id, name }) => [_id, name])),
      saved,
      hiddenCount: rows.length - saved.length,
    };
  }, [rows, read, noun, takesNew, hidden, all]);
  useListed(shown.saved, read.id);
  return shown;
}
