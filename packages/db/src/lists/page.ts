import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import {
  after,
  type Cursor,
  orderBy,
  partsOf,
  readCursor,
  type Sort,
  sortValue,
  writeCursor,
} from './cursor.ts';
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

type Sorted<Row> = Row & { sorted_by: string | null; total_rows?: number };

interface Reading {
  where: RawBuilder<boolean>;
  sort: Sort;
  limit: number;
  offset?: number;
  /**
   * Every row says besides how many there are in all, counted apart or in the walk that finds them: one way to the
   * database less.
   */
  counted?: 'apart' | 'in one walk';
}

async function readRows<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { where, sort, limit, offset = 0, counted }: Reading,
): Promise<Sorted<Row>[]> {
  const from = sql.raw(source.from);
  const order = orderBy(sort);
  const part = sql`order by ${order} limit ${limit} offset ${offset}`;
  if (counted === 'in one walk') {
    const { rows } = await sql<Sorted<Row>>`
      with chosen as materialized (
        select r.id, count(*) over ()::int as total from ${from} where ${where} ${part}
      )
      select r.*, ${sortValue(sort.column)}::text as sorted_by, (select max(total) from chosen) as total_rows
      from ${sql.raw(source.shown ?? source.from)}
      where r.organization_id = current_organization() and r.id = any (array(select id from chosen))
      order by ${order}`.execute(trx);
    return rows;
  }
  // What is passed over is passed over in the index, row by row unread; then the few are read that are shown.
  const chosen =
    offset === 0 && source.shown === undefined
      ? sql`${where} ${part}`
      : sql`r.organization_id = current_organization()
          and r.id = any (array(select r.id from ${from} where ${where} ${part})) order by ${order}`;
  const { rows } = await sql<Sorted<Row>>`
    select r.*, ${sortValue(sort.column)}::text as sorted_by
      ${counted === 'apart' ? sql`, (${countOf(source, where)}) as total_rows` : sql``}
    from ${sql.raw(source.shown ?? source.from)} where ${chosen}`.execute(trx);
  return rows;
}

/**
 * What follows the cursor. Rows with a value and rows without are asked for apart, so that an index leads to the place
 * wherever it is.
 * @throws BadCursor for a value that the column cannot hold
 */
async function readAfter<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { cursor, ...reading }: Reading & { cursor: Cursor },
): Promise<Sorted<Row>[]> {
  const { where, sort, limit } = reading;
  const parts = partsOf(sort);
  const [part, rest] = cursor.value === null ? [parts.at(-1)] : parts;
  const rows = await readRows<Row>(trx, source, {
    ...reading,
    where: sql`${where} and ${part} and ${after(sort, cursor)}`,
  }).catch((error: unknown) => {
    throw isDataError(error) ? new BadCursor() : error;
  });
  if (rest === undefined || rows.length === limit) return rows;
  const empty = { where: sql<boolean>`${where} and ${rest}`, sort, limit: limit - rows.length };
  return [...rows, ...(await readRows<Row>(trx, source, empty))];
}

/** SQLSTATE class 22: a text that is no number, no moment, no text. */
const isDataError = (error: unknown): boolean =>
  error instanceof Error && String((error as { code?: unknown }).code).startsWith('22');

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
  const { page, pageSize } = query;
  const sort = sortOf(source, query.sort);
  const where = whereOf(source, query);
  const cursor = query.cursor === undefined ? undefined : startOf(query.cursor, query.sort);
  // One more than is shown: whether there is a next page.
  const reading = { where, sort, limit: pageSize + 1 };
  const counted = asksFor(query, source.derived) ? 'in one walk' : 'apart';
  const rows = cursor
    ? await readAfter<Row>(trx, source, { ...reading, cursor })
    : await readRows<Row>(trx, source, { ...reading, offset: (page - 1) * pageSize, counted });
  const shown = rows.slice(0, pageSize);
  const total = cursor?.total ?? rows[0]?.total_rows ?? (page === 1 ? 0 : await count(trx, source, where));
  const last = shown.at(-1);
  const more = rows.length > pageSize && last !== undefined;
  return {
    rows: shown,
    total,
    page,
    pageSize,
    nextCursor: more ? writeCursor({ sort: query.sort, value: last.sorted_by, id: last.id, total }) : null,
  };
}

/** Whether rows are narrowed by one of these. */
const asksFor = (query: PageInput, names: readonly string[] = []): boolean =>
  names.some((name) => ['', 'Min', 'Max'].some((end) => Object.hasOwn(query, `${name}${end}`)));

function startOf(text: string, sort: string): Cursor {
  const cursor = readCursor(text, sort);
  if (!cursor) throw new BadCursor();
  return cursor;
}

export async function count(
  trx: OrganizationTransaction,
  source: ListSource,
  where: RawBuilder<boolean>,
): Promise<number> {
  const { rows } = await countOf(source, where).execute(trx);
  return rows[0]?.total ?? 0;
}

const countOf = (source: ListSource, where: RawBuilder<boolean>) => sql<{ total: number }>`
  select count(*)::int as total from ${sql.raw(source.from)} where ${where}`;

/** Every row that matches: what a change is made to whose own tables do not have the list's columns. */
export async function idsOfAll(
  trx: OrganizationTransaction,
  source: ListSource,
  where: RawBuilder<boolean>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from ${sql.raw(source.from)} where ${where} order by r.id`.execute(trx);
  return rows.map((row) => row.id);
}

/** Rows that one step of a walk takes. */
const stepSize = 1000;

/** A part of a walk; `next` is undefined after the last. */
export interface Step<Row> {
  rows: Row[];
  next: string | undefined;
}

/** A step through all rows that match, for exports, whose size nobody knows. */
export async function walkFrom<Row extends { id: string }>(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, cursor }: { query: FilterInput & { sort: string }; cursor: string | undefined },
): Promise<Step<Row>> {
  const reading = {
    where: whereOf(source, query),
    sort: sortOf(source, query.sort),
    limit: stepSize,
  };
  const rows =
    cursor === undefined
      ? await readRows<Row>(trx, source, reading)
      : await readAfter<Row>(trx, source, { ...reading, cursor: startOf(cursor, query.sort) });
  const last = rows.at(-1);
  if (!last || rows.length < stepSize) return { rows, next: undefined };
  return { rows, next: writeCursor({ sort: query.sort, value: last.sorted_by, id: last.id, total: 0 }) };
}
