import { useEffect, useState } from 'react';
import { createStore, useStore } from '../browser/store.ts';
import { deletedRecords } from '../entity/deleted-records.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of records that were edited in their rows, by id, as they are since. */
const held = createStore<ReadonlyMap<string, Fields>>(new Map());

/** Keeps the row of a record where it is: it is being edited there. */
export function holdRow(id: string): void {
  if (!held.get().has(id)) held.set(new Map(held.get()).set(id, {}));
}

/** Lets a row move again that was opened for editing and not changed. */
export function releaseRow(id: string): void {
  const fields = held.get().get(id);
  if (fields === undefined || Object.keys(fields).length > 0) return;
  held.set(new Map([...held.get()].filter(([other]) => other !== id)));
}

/** Shows new values in a row that the list no longer has but still shows. */
export function patchHeldRow(id: string, fields: Fields): void {
  const before = held.get().get(id);
  if (before !== undefined) held.set(new Map(held.get()).set(id, { ...before, ...fields }));
}

const releaseAll = (): void => held.set(new Map());

/** The row with those of the fields that it carries. */
function withFields<Row extends object>(row: Row, fields: Fields): Row {
  const known = Object.entries(fields).filter(([name, value]) => name in row && value !== undefined);
  return known.length === 0 ? row : { ...row, ...Object.fromEntries(known) };
}

interface Order<Row> {
  /** The rows as they are shown now. */
  shown: readonly Row[];
  /** The rows that the list has since. */
  next: readonly Row[];
  idOf: (row: Row) => string;
  edited: ReadonlyMap<string, Fields>;
}

/**
 * The new rows in the order of the old ones. Edited rows stay, also when they no longer match the filter or belong to
 * another page; rows that are new on the page follow.
 */
export function inShownOrder<Row extends object>({ shown, next, idOf, edited }: Order<Row>): Row[] {
  const byId = new Map(next.map((row) => [idOf(row), row]));
  const kept = shown.flatMap((row) => {
    const id = idOf(row);
    const fields = edited.get(id);
    return byId.get(id) ?? (fields === undefined ? [] : withFields(row, fields));
  });
  const before = new Set(shown.map(idOf));
  return [...kept, ...next.filter((row) => !before.has(idOf(row)))];
}

interface HeldList<Row> {
  /** The page's rows; undefined while the first ones load. */
  rows: readonly Row[] | undefined;
  idOf: (row: Row) => string;
  /** What the list shows: page, sort and filters. Rows are held as long as it stays the same. */
  key: string;
  /** The rows belong to the key; otherwise they are the old ones, shown until the new ones arrive. */
  settled: boolean;
}

/**
 * The rows of a list in a steady order: a row that was edited in place stays where it is until the user sorts, filters
 * or pages, or updates the list.
 */
export function useHeldRows<Row extends object>({ rows, idOf, key, settled }: HeldList<Row>) {
  const edited = useStore(held);
  const deleted = useStore(deletedRecords);
  const [last, setLast] = useState({ rows, shown: rows, key, edited, deleted });
  // When the list shows other rows, and on leaving it: another list must not hold these rows.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- it ends with the key
  useEffect(() => releaseAll, [key]);

  const isSame = last.rows === rows && last.edited === edited && last.deleted === deleted;
  let { shown } = last;
  if (settled && !(isSame && last.key === key)) {
    const holds = edited.size > 0 && last.key === key && rows !== undefined && last.shown !== undefined;
    shown = holds
      ? inShownOrder({ shown: last.shown ?? [], next: rows ?? [], idOf, edited }).filter(
          (row) => !deleted.has(idOf(row)),
        )
      : rows;
    setLast({ rows, shown, key, edited, deleted });
  }
  const isHeld =
    shown !== rows &&
    settled &&
    (shown?.length !== rows?.length || shown?.some((row, n) => rows?.[n] !== row) === true);
  return { rows: shown, isHeld, update: releaseAll };
}
