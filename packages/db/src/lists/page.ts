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

/** Query parameters that every list has. */
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

/** The cursor is malformed or belongs to another list. */
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
  /** Finds the rows of the page instead of `where`, which counts them. */
  rowByRow?: RawBuilder<boolean> | undefined;
  sort: Sort;
  limit: number;
  offset?: number;
  /** How the total is counted in the same query, by a subquery or by the scan that selects the rows; absent: not counted. */
  counted?: 'by subquery' | 'in the same scan';
}

async function readRows<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { where, rowByRow = where, sort, limit, offset = 0, counted }: Reading,
): Promise<Sorted<Row>[]> {
  const from = sql.raw(source.from);
  const order = orderBy(sort);
  const part = sql`order by ${order} limit ${limit} offset ${offset}`;
  if (counted === 'in the same scan') {
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
  // Skipped rows are skipped in the index alone; only the rows of the page are read.
  const chosen =
    offset === 0 && source.shown === undefined
      ? sql`${rowByRow} ${part}`
      : sql`r.organization_id = current_organization()
          and r.id = any (array(select r.id from ${from} where ${rowByRow} ${part})) order by ${order}`;
  const { rows } = await sql<Sorted<Row>>`
    select r.*, ${sortValue(sort.column)}::text as sorted_by
      ${counted === 'by subquery' ? sql`, (${countOf(source, where)}) as total_rows` : sql``}
    from ${sql.raw(source.shown ?? source.from)} where ${chosen}`.execute(trx);
  return rows;
}

/**
 * Rows after the cursor. Rows with and without a value are read by two queries, so that an index serves both.
 * @throws BadCursor for a value that the column cannot hold
 */
async function readAfter<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { cursor, ...reading }: Reading & { cursor: Cursor },
): Promise<Sorted<Row>[]> {
  const { where, rowByRow = where, sort, limit } = reading;
  const parts = partsOf(sort);
  const [part, rest] = cursor.value === null ? [parts.at(-1)] : parts;
  const rows = await readRows<Row>(trx, source, {
    ...reading,
    rowByRow: sql`${rowByRow} and ${part} and ${after(sort, cursor)}`,
  }).catch(refuseCursor);
  if (rest === undefined || rows.length === limit) return rows;
  const empty = { where: sql<boolean>`${where} and ${rest}`, sort, limit: limit - rows.length };
  return [...rows, ...(await readRows<Row>(trx, source, empty))];
}

/**
 * First rows of a list, or of its rest, in which a page is looked for row by row. The planner expects 1/200 of a table
 * (decision 20) and sorts whole lists that it expects to be shorter than this.
 */
const rowsTested = 1000;

interface Start {
  query: PageInput;
  sort: Sort;
  cursor: Cursor | undefined;
}

/**
 * The condition to read a page with when the first rows after its start contain it whole. Without one, all rows of a
 * filter are found first: that takes longer for many, but not when the list begins with rows of others.
 */
async function conditionRowByRow(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, sort, cursor }: Start,
): Promise<RawBuilder<boolean> | undefined> {
  const found = source.rowByRow?.(query);
  if (found === undefined || !sort.column.required) return undefined;
  const start = cursor === undefined ? sql`` : sql` and ${after(sort, cursor)}`;
  const isShown = sql<boolean>`${whereOf(source, found.input)} and ${found.isShown}`;
  const least = (cursor === undefined ? query.page * query.pageSize : query.pageSize) + 1;
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from (
        select r.* from ${sql.raw(source.from)} where r.organization_id = current_organization() ${start}
        order by ${orderBy(sort)} limit ${sql.lit(rowsTested)}
      ) r where ${isShown} limit ${least}
    ) shown`.execute(trx);
  return rows[0]?.n === least ? isShown : undefined;
}

/** @throws BadCursor for an error of SQLSTATE class 22: the value does not fit the column's type */
function refuseCursor(error: unknown): never {
  const isDataError = error instanceof Error && String((error as { code?: unknown }).code).startsWith('22');
  throw isDataError ? new BadCursor() : error;
}

/**
 * A page of a list: by number, or after a cursor, which costs the same at every position. The total is counted for the
 * first page; the cursor carries it to the next ones.
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
  const rowByRow = await conditionRowByRow(trx, source, { query, sort, cursor }).catch(refuseCursor);
  // One extra row shows whether there is a next page.
  const reading = { where, rowByRow, sort, limit: pageSize + 1 };
  const counted = filtersBy(query, source.derived) ? 'in the same scan' : 'by subquery';
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

/** Whether the query filters by one of these fields. */
const filtersBy = (query: PageInput, names: readonly string[] = []): boolean =>
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

/** Ids of all matching rows, for changes of tables that do not have the list's derived columns. */
export async function idsOfAll(
  trx: OrganizationTransaction,
  source: ListSource,
  where: RawBuilder<boolean>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from ${sql.raw(source.from)} where ${where} order by r.id`.execute(trx);
  return rows.map((row) => row.id);
}

/** Rows per step of an export. */
const stepSize = 1000;

/** A part of an export; `next` is the cursor of the next part, undefined after the last. */
export interface Step<Row> {
  rows: Row[];
  next: string | undefined;
}

/** Reads the next part of all matching rows, for exports of any size. */
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
