import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { after, type Cursor, orderBy, readCursor, type Sort, sortValue, writeCursor } from './cursor.ts';
import { whereOf } from './filter.ts';
import type { FilterInput, ListSource } from './source.ts';

/** What the query of every list of the kit brings. */
export interface PageInput {
  page: number;
  pageSize: number;
  sort: string;
  cursor?: string | undefined;
}

export interface Page<Row> {
  rows: Row[];
  total: number;
  page: number;
  pageSize: number;
  /** Null on the last page. */
  nextCursor: string | null;
}

/** A cursor that is not ours, or of another list. */
export class BadCursor extends Error {}

export function sortOf(source: ListSource, sort: string): Sort {
  const descending = sort.startsWith('-');
  const column = source.columns[descending ? sort.slice(1) : sort];
  if (!column) throw new Error(`No column for sort ${sort}`);
  return { column, descending };
}

/**
 * A page of a list: by number, or after a cursor at the same cost wherever the walk stands. The number of rows is
 * counted once, and a walk carries it along.
 * @throws BadCursor
 */
export async function listPage<Row extends { id: string }>(
  trx: OrganizationTransaction,
  source: ListSource,
  query: PageInput,
): Promise<Page<Row>> {
  const sort = sortOf(source, query.sort);
  const where = whereOf(source, query);
  const from = sql.raw(source.from);
  const cursor = query.cursor === undefined ? undefined : startOf(query.cursor);
  const start = cursor ? sql<boolean>`${where} and ${after(sort, cursor)}` : where;
  const offset = cursor ? 0 : (query.page - 1) * query.pageSize;
  const { rows } = await sql<Row & { sorted_by: string | null }>`
    select r.*, ${sortValue(sort.column)}::text as sorted_by from ${from} where ${start}
    order by ${orderBy(sort)} limit ${query.pageSize + 1} offset ${offset}`.execute(trx);
  const shown = rows.slice(0, query.pageSize);
  const total = cursor?.total ?? (await count(trx, source, where));
  const last = shown.at(-1);
  const more = rows.length > query.pageSize && last !== undefined;
  return {
    rows: shown,
    total,
    page: query.page,
    pageSize: query.pageSize,
    nextCursor: more ? writeCursor({ value: last.sorted_by, id: last.id, total }) : null,
  };
}

function startOf(text: string): Cursor {
  const cursor = readCursor(text);
  if (!cursor) throw new BadCursor();
  return cursor;
}

export async function count(
  trx: OrganizationTransaction,
  source: ListSource,
  where: RawBuilder<boolean>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from ${sql.raw(source.from)} where ${where}`.execute(trx);
  return rows[0]?.total ?? 0;
}

/** Rows that one step of a walk takes. */
const stepSize = 1000;

/** A step through all rows that match, for exports, whose size nobody knows; `next` is undefined after the last. */
export async function walkFrom<Row extends { id: string }>(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, cursor }: { query: FilterInput & { sort: string }; cursor: string | undefined },
): Promise<{ rows: Row[]; next: string | undefined }> {
  const sort = sortOf(source, query.sort);
  const where = whereOf(source, query);
  const start = cursor === undefined ? where : sql<boolean>`${where} and ${after(sort, startOf(cursor))}`;
  const { rows } = await sql<Row & { sorted_by: string | null }>`
    select r.*, ${sortValue(sort.column)}::text as sorted_by from ${sql.raw(source.from)} where ${start}
    order by ${orderBy(sort)} limit ${stepSize}`.execute(trx);
  const last = rows.at(-1);
  if (!last || rows.length < stepSize) return { rows, next: undefined };
  return { rows, next: writeCursor({ value: last.sorted_by, id: last.id, total: 0 }) };
}
