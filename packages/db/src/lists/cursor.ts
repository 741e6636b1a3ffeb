import { type RawBuilder, sql } from 'kysely';
import type { ListColumn } from './source.ts';

/** Position in a list: its order, the last row's sort value as text (null: empty) and id, and the total of rows. */
export interface Cursor {
  sort: string;
  value: string | null;
  id: string;
  total: number;
}

export const writeCursor = ({ sort, value, id, total }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, value, id, total])).toString('base64url');

/** @returns undefined for a text that is not a cursor of this order; the database checks the value and the id */
export function readCursor(text: string, order: string): Cursor | undefined {
  try {
    const parsed = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
    if (!Array.isArray(parsed)) return undefined;
    const [sort, value, id, total] = parsed as unknown[];
    if (sort !== order || (value !== null && typeof value !== 'string')) return undefined;
    if (typeof id !== 'string' || !Number.isSafeInteger(total) || (total as number) < 0) return undefined;
    return { sort: order, value, id, total: total as number };
  } catch {
    return undefined;
  }
}

/** A sort: a column and its direction; ties are sorted by id in the same direction. Empty values come last. */
export interface Sort {
  column: ListColumn;
  descending: boolean;
}

/** The empty value of each type that has one. */
const emptyValues: Partial<Record<ListColumn['type'], RawBuilder<unknown>>> = {
  text: sql`''`,
  'text[]': sql`'{}'`,
};

/** The value to sort by: null for an empty text or list. */
export function sortValue({ sql: text, type, required }: ListColumn): RawBuilder<unknown> {
  const value = sql.raw(text);
  const empty = emptyValues[type];
  return empty === undefined || required ? value : sql`nullif(${value}, ${empty})`;
}

export function orderBy({ column, descending }: Sort): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'desc' : 'asc');
  const nulls = column.required ? sql`` : sql` nulls last`;
  return sql`${sortValue(column)} ${direction}${nulls}, r.id ${direction}`;
}

/** The two parts of a sorted list, in order: rows with a value, rows without. */
export const partsOf = ({ column }: Sort): RawBuilder<boolean>[] => {
  if (column.required) return [sql`true`];
  const sorted = sortValue(column);
  return [sql`${sorted} is not null`, sql`${sorted} is null`];
};

/** Rows after the cursor in its part of the list. */
export function after({ column, descending }: Sort, { value, id }: Cursor): RawBuilder<boolean> {
  const sign = sql.raw(descending ? '<' : '>');
  if (value === null) return sql`r.id ${sign} ${id}::uuid`;
  return sql`(${sortValue(column)}, r.id) ${sign} (${value}::${sql.raw(column.type)}, ${id}::uuid)`;
}
