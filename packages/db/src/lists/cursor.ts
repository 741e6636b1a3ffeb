import { type RawBuilder, sql } from 'kysely';
import type { ListColumn } from './source.ts';

/** Where a walk stands: its order, the sort value of the last row as text (null: empty), its id, and how many there are. */
export interface Cursor {
  sort: string;
  value: string | null;
  id: string;
  total: number;
}

export const writeCursor = ({ sort, value, id, total }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, value, id, total])).toString('base64url');

/** @returns undefined for what is no cursor of this order; whether its value and id are such the database says */
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

/** A sort: the column, its direction, and the id as the last word, in the same direction. Empty values come last. */
export interface Sort {
  column: ListColumn;
  descending: boolean;
}

/** What counts as nothing, by type. */
const nothing: Partial<Record<ListColumn['type'], RawBuilder<unknown>>> = {
  text: sql`''`,
  'text[]': sql`'{}'`,
};

/** The value that is sorted by: an empty text or list is none. */
export function sortValue({ sql: text, type, required }: ListColumn): RawBuilder<unknown> {
  const value = sql.raw(text);
  const empty = nothing[type];
  return empty === undefined || required ? value : sql`nullif(${value}, ${empty})`;
}

export function orderBy({ column, descending }: Sort): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'desc' : 'asc');
  const nulls = column.required ? sql`` : sql` nulls last`;
  return sql`${sortValue(column)} ${direction}${nulls}, r.id ${direction}`;
}

/** Rows that have a value, and those that have none: the two parts of a sorted list, in their order. */
export const partsOf = ({ column }: Sort): RawBuilder<boolean>[] => {
  if (column.required) return [sql`true`];
  const sorted = sortValue(column);
  return [sql`${sorted} is not null`, sql`${sorted} is null`];
};

/** What comes after the cursor in the part that it stands in. */
export function after({ column, descending }: Sort, { value, id }: Cursor): RawBuilder<boolean> {
  const sign = sql.raw(descending ? '<' : '>');
  if (value === null) return sql`r.id ${sign} ${id}::uuid`;
  return sql`(${sortValue(column)}, r.id) ${sign} (${value}::${sql.raw(column.type)}, ${id}::uuid)`;
}
