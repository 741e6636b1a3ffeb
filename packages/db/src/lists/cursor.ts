import { createHash } from 'node:crypto';
import type { PageInput } from './page.ts';
import type { ListSource } from './source.ts';
import type { Total } from './total.ts';

/** Position in a list: its order, the last row's sort value as text (null: empty) and id, and the total of rows. */
export interface Cursor extends Total {
  sort: string;
  value: string | null;
  id: string;
}

export const writeCursor = ({ sort, value, id, total, totalIsCapped }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, value, id, total, ...(totalIsCapped ? [true] : [])])).toString(
    'base64url',
  );

/** @returns undefined for a text that is not a cursor of this order; the database checks the value and the id */
function readCursor(text: string, order: string): Cursor | undefined {
  try {
    const parsed = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
    if (!Array.isArray(parsed)) return undefined;
    const [sort, value, id, total, capped] = parsed as unknown[];
    if (sort !== order || (value !== null && typeof value !== 'string')) return undefined;
    if (typeof id !== 'string' || !Number.isSafeInteger(total) || (total as number) < 0) return undefined;
    return {
      sort: order,
      value,
      id,
      total: total as number,
      ...(capped === true && { totalIsCapped: true as const }),
    };
  } catch {
    return undefined;
  }
}

/** The order of a list's page, with a digest of its rows and filters: a cursor has their total, and fits no other list. */
export function orderOf(source: ListSource, query: PageInput): string {
  const { page: _page, pageSize: _pageSize, cursor: _cursor, total: _total, ...list } = query;
  const filters = Object.entries(list).filter(([name]) => source.moving?.includes(name) !== true);
  const rows = createHash('sha256').update(JSON.stringify([source.from, Object.fromEntries(filters)]));
  return `${query.sort} ${rows.digest('base64url').slice(0, 16)}`;
}

/** The cursor is malformed or belongs to another list. */
export class BadCursor extends Error {}

/** The position of a request's cursor in a list of this order. @throws BadCursor */
export function startOf(text: string, sort: string): Cursor {
  const cursor = readCursor(text, sort);
  if (!cursor) throw new BadCursor();
  return cursor;
}

/** @throws BadCursor for an error of SQLSTATE class 22: the value does not fit the column's type */
export function refuseCursor(error: unknown): never {
  const isDataError = error instanceof Error && String((error as { code?: unknown }).code).startsWith('22');
  throw isDataError ? new BadCursor() : error;
}
