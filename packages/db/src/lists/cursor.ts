import { type RawBuilder, sql } from 'kysely';
import type { ListColumn } from './source.ts';

/** Where a walk stands: the sort value of the last row as text (null: empty), its id, and how many rows there are. */
export interface Cursor {
  value: string | null;
  id: string;
  total: number;
}

export const writeCursor = ({ value, id, total }: Cursor): string =>
  Buffer.from(JSON.stringify([value, id, total])).toString('base64url');

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** @returns undefined for what is no cursor of ours */
export function readCursor(text: string): Cursor | undefined {
  try {
    const parsed = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
    if (!Array.isArray(parsed)) return undefined;
    const [value, id, total] = parsed as unknown[];
    if (value !== null && typeof value !== 'string') return undefined;
    if (typeof id !== 'string' || !idForm.test(id) || !Number.isSafeInteger(total)) return undefined;
    return { value, id, total: total as number };
  } catch {
    return undefined;
  }
}

/** A sort: the column, its direction, and the id as the last word, in the same direction. Empty values come last. */
export interface Sort {
  column: ListColumn;
  descending: boolean;
}

/** The value that is sorted by: of texts, an empty one is none. */
export const sortValue = ({ sql: text, type, required }: ListColumn): RawBuilder<unknown> =>
  type === 'text' && !required ? sql`nullif(${sql.raw(text)}, '')` : sql`${sql.raw(text)}`;

export function orderBy({ column, descending }: Sort): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'desc' : 'asc');
  const nulls = column.required ? sql`` : sql` nulls last`;
  return sql`${sortValue(column)} ${direction}${nulls}, r.id ${direction}`;
}

/** What comes after the cursor in this order. */
export function after({ column, descending }: Sort, { value, id }: Cursor): RawBuilder<boolean> {
  const sign = sql.raw(descending ? '<' : '>');
  const sorted = sortValue(column);
  const last = sql`${value}::${sql.raw(column.type)}`;
  if (column.required) return sql`(${sorted}, r.id) ${sign} (${last}, ${id}::uuid)`;
  if (value === null) return sql`(${sorted} is null and r.id ${sign} ${id}::uuid)`;
  return sql`(${sorted} ${sign} ${last} or (${sorted} = ${last} and r.id ${sign} ${id}::uuid) or ${sorted} is null)`;
}
