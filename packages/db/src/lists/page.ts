import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { type Cursor, readCursor, writeCursor } from './cursor.ts';
import {
  inOrganization,
  isReadInOrder,
  isUnfiltered,
  ofOrganization,
  rangeOfSort,
  whereOf,
} from './filter.ts';
import { firstRows, type Narrowed, narrow, rowsToTest } from './narrow.ts';
import { readingInOrder, withoutSorting } from '../query-plans.ts';
import { after, orderBy, type Segment, segmentsOf, type Sort, sortValue, upTo } from './sort.ts';
import { type FilterInput, type ListSource, tableColumn } from './source.ts';
import { count, countUpTo, type Total, totalOf } from './total.ts';

/** Query parameters that every list has. */
export interface PageInput {
  page: number;
  pageSize: number;
  sort: string;
  cursor?: string | undefined;
  /** Counts all matching rows, however many. */
  total?: 'exact' | undefined;
}

export interface Page<Row> extends Total {
  rows: Row[];
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

type Sorted<Row> = Row & {
  sorted_by: string | null;
  /** The number of rows whose lines are joined in this one, which has the id and the sort value of the last. */
  joined?: number;
};

const numberOf = <Row>(rows: readonly Sorted<Row>[]): number =>
  rows.reduce((sum, { joined = 1 }) => sum + joined, 0);

/**
 * Lines that become one text: V8 keeps a text of more than 128 KiB among the old objects, and collects all of them again
 * after a few.
 */
const joinedLines = 100;

/** Joins the column `line` of rows in their order. */
const joinLines = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select string_agg(line, '') as line, count(*)::int as joined,
    (array_agg(id))[count(*)] as id, (array_agg(sorted_by))[count(*)] as sorted_by
  from (select *, (row_number() over () - 1) / ${sql.lit(joinedLines)} as part from (${rows}) lines) parts
  group by part order by part`;

interface Reading {
  where: RawBuilder<boolean>;
  sort: Sort;
  segments: readonly Segment[];
  limit: number;
  offset?: number;
  /** Columns to read; all by default. */
  columns?: RawBuilder<unknown>;
  /** Joins the column `line` of the rows. */
  joins?: boolean;
  /** Reads the index of the sort, even where the planner expects fewer rows; otherwise it may collect the rows and sort them. */
  inOrder: boolean;
  /** Without filters. */
  isWhole?: boolean;
  /** The condition ends in the segment of the cursor. */
  isBounded?: boolean;
}

/**
 * Rows of a sorted list, read segment by segment: each is read from an index in order, and skipped rows are skipped in the
 * index alone.
 */
async function readRows<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { where, sort, segments, limit, offset = 0, columns = sql`r.*`, joins = false, inOrder }: Reading,
): Promise<Sorted<Row>[]> {
  const run = <T>(work: () => Promise<T>): Promise<T> => (inOrder ? readingInOrder(trx, work) : work());
  const read: Sorted<Row>[] = [];
  let skipped = offset;
  for (const { condition, order } of segments) {
    const missing = limit - numberOf(read);
    if (missing === 0) break;
    const inSegment = sql<boolean>`${where} and ${condition}`;
    const part = sql`order by ${order} limit ${missing} offset ${skipped}`;
    const isDirect = skipped === 0 && source.shown === undefined;
    const ids = isDirect ? [] : await run(() => idsIn(trx, source, sql`${inSegment} ${part}`));
    const shown =
      ids.length === 0
        ? []
        : await rowsWith<Row>(sql`${ofOrganization} and r.id = any (${ids}::uuid[]) order by ${order}`);
    const rows = isDirect ? await run(() => rowsWith<Row>(sql`${inSegment} ${part}`)) : shown;
    read.push(...rows);
    if (rows.length > 0) skipped = 0;
    else if (skipped > 0) skipped -= await countUpTo(trx, source, { where: inSegment, most: skipped });
  }
  return read;

  async function rowsWith<R>(chosen: RawBuilder<unknown>): Promise<Sorted<R>[]> {
    const selected = sql`
      select ${columns}, ${sortValue(sort.column)}::text as sorted_by
      from ${sql.raw(source.shown ?? source.from)} where ${chosen}`;
    const { rows } = await sql<Sorted<R>>`${joins ? joinLines(selected) : selected}`.execute(trx);
    return rows;
  }
}

async function idsIn(
  trx: OrganizationTransaction,
  source: ListSource,
  chosen: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from ${sql.raw(source.from)} where ${chosen}`.execute(trx);
  return rows.map(({ id }) => id);
}

/**
 * Selects the ids after a cursor of a whole list that is sorted by numbers. Their comparison is not leakproof, so that
 * under row-level security the index would be read from its start (decision 0043). Undefined for other sorts.
 */
function idsAfter(
  { table }: ListSource,
  { cursor, sort: { column, descending }, limit }: { cursor: Cursor; sort: Sort; limit: number },
): RawBuilder<unknown> | undefined {
  const name = tableColumn(column);
  if (table === undefined || column.type !== 'numeric' || name === undefined || cursor.value === null)
    return undefined;
  const { value, id } = cursor;
  return sql`select ids_after(${table}, ${name}, ${descending}, ${!column.required},
    ${value}::numeric, ${id}::uuid, ${limit})`;
}

/** The segment of the cursor and those after it. */
const segmentsFrom = (sort: Sort, cursor: Cursor | undefined): Segment[] =>
  segmentsOf(sort).filter(({ holds }) => cursor?.value !== null || holds === 'empty');

/** Rows after the cursor. @throws BadCursor for a value that the column cannot hold */
async function readAfter<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { cursor, ...reading }: Omit<Reading, 'segments'> & { cursor: Cursor },
): Promise<Sorted<Row>[]> {
  const { limit } = reading;
  const [current, ...others] = segmentsFrom(reading.sort, cursor);
  if (current === undefined) throw new BadCursor();
  const rest = reading.isBounded ? [] : others;
  const found = reading.isWhole ? idsAfter(source, { cursor, sort: reading.sort, limit }) : undefined;
  const next = found
    ? { ...reading, inOrder: false, where: sql<boolean>`${ofOrganization} and r.id = any (array(${found}))` }
    : { ...reading, where: sql<boolean>`${reading.where} and ${after(reading.sort, cursor)}` };
  const rows = await readRows<Row>(trx, source, { ...next, segments: [current] }).catch(refuseCursor);
  const missing = limit - numberOf(rows);
  if (missing === 0 || rest.length === 0) return rows;
  return [...rows, ...(await readRows<Row>(trx, source, { ...reading, segments: rest, limit: missing }))];
}

/** Rows of one page, and their number, by one scan of all rows: for filters by columns that are expensive to compute. */
async function readCounted<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { where, sort, limit, offset = 0 }: Omit<Reading, 'segments'>,
): Promise<{ rows: Sorted<Row>[]; total: number }> {
  const order = orderBy(sort);
  const { rows } = await sql<Sorted<Row> & { total_rows: number }>`
    with chosen as materialized (
      select r.id, count(*) over ()::int as total from ${sql.raw(source.from)} where ${where}
      order by ${order} limit ${limit} offset ${offset}
    )
    select r.*, ${sortValue(sort.column)}::text as sorted_by, (select max(total) from chosen) as total_rows
    from ${sql.raw(source.shown ?? source.from)}
    where r.organization_id = current_organization() and r.id = any (array(select id from chosen))
    order by ${order}`.execute(trx);
  const total = rows[0]?.total_rows ?? (offset === 0 ? 0 : await count(trx, source, where));
  return { rows, total };
}

/** @throws BadCursor for an error of SQLSTATE class 22: the value does not fit the column's type */
function refuseCursor(error: unknown): never {
  const isDataError = error instanceof Error && String((error as { code?: unknown }).code).startsWith('22');
  throw isDataError ? new BadCursor() : error;
}

/** Rows that a page by its number may skip from the start before the total is asked, to read it from the nearest end. */
const nearStart = 1000;

interface Found<Row> extends Total {
  rows: Sorted<Row>[];
  /** There are rows after these. */
  more: boolean;
}

/** A page by its number, read from the nearest end of the list where its total is exact. */
async function pageByNumber<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, narrowed, sort, inOrder }: { query: PageInput; narrowed: Narrowed; sort: Sort; inOrder: boolean },
): Promise<Found<Row>> {
  const { page, pageSize } = query;
  const { where } = narrowed;
  const wanted = { query, narrowed, isExact: query.total === 'exact' };
  const offset = (page - 1) * pageSize;
  const known = offset < nearStart ? undefined : await totalOf(trx, source, wanted);
  if (known !== undefined && !known.totalIsCapped) {
    const { total } = known;
    if (offset >= total) return { rows: [], more: false, total };
    const rest = Math.max(0, total - offset - pageSize);
    if (rest < offset) {
      const limit = total - offset - rest;
      const segments = segmentsOf(sort, true);
      const rows = await readRows<Row>(trx, source, { where, sort, segments, limit, offset: rest, inOrder });
      return { rows: rows.toReversed(), more: rest > 0, total };
    }
  }
  // One extra row shows whether there is a next page.
  const segments = segmentsOf(sort);
  const read = await readRows<Row>(trx, source, {
    where,
    sort,
    segments,
    limit: pageSize + 1,
    offset,
    inOrder,
  });
  const rows = read.slice(0, pageSize);
  const more = read.length > pageSize;
  if (!more && (rows.length > 0 || page === 1)) return { rows, more, total: offset + rows.length };
  return { rows, more, ...(known ?? (await totalOf(trx, source, wanted))) };
}

/**
 * The rows of a page, and one more, found by testing the first rows of the list in its order. Undefined when these do not
 * hold so many matches.
 */
async function readSoon<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, narrowed, sort, cursor }: PageStart,
): Promise<Sorted<Row>[] | undefined> {
  const { isMatch } = narrowed;
  const [segment] = segmentsFrom(sort, cursor);
  if (isMatch === undefined || segment === undefined) return undefined;
  const offset = cursor === undefined ? (query.page - 1) * query.pageSize : 0;
  const wanted = query.pageSize + 1;
  const most = rowsToTest(narrowed, offset + wanted);
  if (most === 0) return undefined;
  const { order } = segment;
  const starts = [segment.condition];
  if (cursor !== undefined) starts.push(after(sort, cursor));
  const range = rangeOfSort(source, query, sort.column);
  if (range !== undefined) starts.push(range);
  const condition = sql<boolean>`${sql.join(starts, sql` and `)}`;
  const first = firstRows(source, { condition, order, most });
  const { rows } = await readingInOrder(trx, () =>
    sql<Sorted<Row>>`
      select r.*, ${sortValue(sort.column)}::text as sorted_by from ${first}
      where ${isMatch} order by ${order} limit ${wanted} offset ${offset}`.execute(trx),
  );
  return rows.length === wanted ? rows : undefined;
}

/**
 * The rows of a page by the time of creation, and one more, where more rows match than are counted: the first ones of each
 * part, merged. Undefined where the rows have no parts.
 */
async function readParts<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, narrowed, sort, cursor }: PageStart,
): Promise<Sorted<Row>[] | undefined> {
  if (!narrowed.isCapped || sort.column.sql !== 'r.created_at' || source.shown !== undefined)
    return undefined;
  const parts = await narrowed.parts?.(trx);
  if (parts === undefined) return undefined;
  const offset = cursor === undefined ? (query.page - 1) * query.pageSize : 0;
  const wanted = query.pageSize + 1;
  const order = orderBy(sort);
  const start = cursor === undefined ? sql`true` : after(sort, cursor);
  const rowsOf = (part: RawBuilder<boolean>) =>
    sql`select r.* from ${sql.raw(source.from)} where ${ofOrganization} and ${part} and ${start}`;
  const firsts = parts.inOrder.map(
    (part) => sql`(${rowsOf(part)} order by ${order} limit ${offset + wanted})`,
  );
  const { rows } = await readingInOrder(trx, () =>
    sql<Sorted<Row>>`
      select r.*, ${sortValue(sort.column)}::text as sorted_by
      from (${sql.join([...firsts, rowsOf(parts.few)], sql` union all `)}) r
      order by ${order} limit ${wanted} offset ${offset}`.execute(trx),
  );
  return rows;
}

interface PageStart {
  query: PageInput;
  narrowed: Narrowed;
  sort: Sort;
  cursor: Cursor | undefined;
}

/** Whether the query filters by one of these fields. */
const filtersBy = (query: PageInput, names: readonly string[] = []): boolean =>
  names.some((name) => ['', 'Min', 'Max'].some((end) => Object.hasOwn(query, `${name}${end}`)));

function startOf(text: string, sort: string): Cursor {
  const cursor = readCursor(text, sort);
  if (!cursor) throw new BadCursor();
  return cursor;
}

/**
 * A page of a list: by number, or after a cursor. Either costs the same at every position after a cursor, and for the
 * first and last pages. The total is counted for the first page; the cursor carries it to the next ones.
 * @throws BadCursor
 */
export async function listPage<Row extends { id: string }>(
  trx: OrganizationTransaction,
  source: ListSource,
  query: PageInput,
): Promise<Page<Row>> {
  const { page, pageSize } = query;
  const sort = sortOf(source, query.sort);
  const cursor = query.cursor === undefined ? undefined : startOf(query.cursor, query.sort);
  const isDerived = filtersBy(query, source.derived);
  const narrowed = isDerived ? { where: whereOf(source, query) } : await narrow(trx, source, { query });
  const { isMatch } = narrowed;
  const byRow = isMatch === undefined ? narrowed.where : inOrganization([isMatch]);
  const inOrder =
    isMatch !== undefined && (isUnfiltered(source, query) || isReadInOrder(source, query, sort.column));
  const where = inOrder ? byRow : narrowed.where;
  const { rows, more, total, totalIsCapped } = (inOrder ? undefined : await findSoon()) ?? (await find());
  const last = rows.at(-1);
  const sum: Total = { total, ...(totalIsCapped && { totalIsCapped }) };
  return {
    rows,
    ...sum,
    page,
    pageSize,
    nextCursor:
      more && last !== undefined
        ? writeCursor({ sort: query.sort, value: last.sorted_by, id: last.id, ...sum })
        : null,
  };

  /** Without collecting all rows that match. */
  async function findSoon(): Promise<Found<Row> | undefined> {
    const start = { query, narrowed, sort, cursor };
    const read =
      (await readParts<Row>(trx, source, start).catch(refuseCursor)) ??
      (await readSoon<Row>(trx, source, start).catch(refuseCursor));
    if (read === undefined) return undefined;
    const isExact = query.total === 'exact';
    // Counting reads ids that are known; otherwise it tests rows until it stops.
    const counting = narrowed.isCollected ? narrowed : { ...narrowed, where: byRow };
    const counted = cursor ?? (await totalOf(trx, source, { query, narrowed: counting, isExact }));
    const sum: Total = { total: counted.total, ...(counted.totalIsCapped && { totalIsCapped: true }) };
    return { rows: read.slice(0, pageSize), more: read.length > pageSize, ...sum };
  }

  async function find(): Promise<Found<Row>> {
    if (cursor === undefined && !isDerived)
      return pageByNumber<Row>(trx, source, { query, narrowed: { ...narrowed, where }, sort, inOrder });
    const isWhole = isUnfiltered(source, query);
    const reading = { where, sort, limit: pageSize + 1, inOrder, isWhole };
    const read = cursor
      ? { ...cursor, rows: await readAfter<Row>(trx, source, { ...reading, cursor }) }
      : await readCounted<Row>(trx, source, { ...reading, offset: (page - 1) * pageSize });
    return { ...read, rows: read.rows.slice(0, pageSize), more: read.rows.length > pageSize };
  }
}

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

interface Walk {
  query: FilterInput & { sort: string };
  cursor: string | undefined;
  /** A cursor of `cursorAhead`: rows up to its own. */
  until?: string | undefined;
}

async function readPart<Row extends { id: string }>(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, cursor, until, ...part }: Walk & Pick<Reading, 'limit' | 'columns' | 'joins'>,
): Promise<Step<Row>> {
  const sort = sortOf(source, query.sort);
  const isWhole = isUnfiltered(source, query);
  const all = whereOf(source, query);
  const isBounded = until !== undefined;
  const where = isBounded ? sql<boolean>`${all} and ${upTo(sort, startOf(until, query.sort))}` : all;
  const reading = { where, sort, inOrder: isWhole, isWhole, isBounded, ...part };
  const read = () =>
    cursor === undefined
      ? readRows<Row>(trx, source, {
          ...reading,
          segments: segmentsOf(sort).slice(0, isBounded ? 1 : undefined),
        })
      : readAfter<Row>(trx, source, { ...reading, cursor: startOf(cursor, query.sort) });
  // A search needs bitmap scans of its own index.
  const rows = await (isWhole || cursor === undefined ? read() : withoutSorting(trx, read));
  const last = rows.at(-1);
  if (!last || numberOf(rows) < part.limit) return { rows, next: undefined };
  return { rows, next: cursorOf(query, last) };
}

const cursorOf = ({ sort }: Walk['query'], { sorted_by: value, id }: Sorted<{ id: string }>): string =>
  writeCursor({ sort, value, id, total: 0 });

/**
 * The cursor of the last of the next `limit` rows, which the index of the sort gives without reading rows, so that the rows
 * up to it and the rows after it can be read at the same time. Undefined under filters, for a sort by numbers (their
 * comparison is not leakproof), and where the segment has fewer rows.
 */
export async function cursorAhead(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, cursor, limit }: Walk & { limit: number },
): Promise<string | undefined> {
  const sort = sortOf(source, query.sort);
  if (!isUnfiltered(source, query) || sort.column.type === 'numeric') return undefined;
  const start = cursor === undefined ? undefined : startOf(cursor, query.sort);
  const where =
    start === undefined ? ofOrganization : sql<boolean>`${ofOrganization} and ${after(sort, start)}`;
  const [row] = await readRows<{ id: string }>(trx, source, {
    where,
    sort,
    segments: segmentsFrom(sort, start).slice(0, 1),
    limit: 1,
    offset: limit - 1,
    columns: sql`r.id`,
    inOrder: true,
  });
  return row && cursorOf(query, row);
}

/** Reads the next part of all matching rows, for exports of any size. */
export const walkFrom = <Row extends { id: string }>(
  trx: OrganizationTransaction,
  source: ListSource,
  walk: Walk,
): Promise<Step<Row>> => readPart(trx, source, { ...walk, limit: stepSize });

/** The same for lines that the database writes: each element holds the lines of many rows. */
export async function walkLines(
  trx: OrganizationTransaction,
  source: ListSource,
  { line, ...walk }: Walk & { limit: number; line: RawBuilder<string> },
): Promise<Step<string>> {
  const columns = sql`r.id, ${line} as line`;
  const { rows, next } = await readPart<{ id: string; line: string }>(trx, source, {
    ...walk,
    columns,
    joins: true,
  });
  return { rows: rows.map((row) => row.line), next };
}
