import { type RawBuilder, sql } from 'kysely';
import { readingInOrder } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { isReadInOrder, isUnfiltered, rangeOfSort, whereOf } from './conditions.ts';
import { type Cursor, orderOf, refuseCursor, startOf, writeCursor } from './cursor.ts';
import { inOrganization, ofOrganization } from './filter.ts';
import { firstRows, type Narrowed, narrow, rowsToTest } from './narrow.ts';
import { columnsOf, readAfter, readCounted, readRows, segmentsFrom, type Sorted } from './read-rows.ts';
import { after, orderBy, segmentsOf, type Sort, sortOf, sortValue } from './sort.ts';
import type { ListSource } from './source.ts';
import { type Total, totalOf } from './total.ts';

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
      select ${columnsOf(source)}, ${sortValue(sort.column)}::text as sorted_by from ${first}
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
      select ${columnsOf(source)}, ${sortValue(sort.column)}::text as sorted_by
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
  const order = orderOf(source, query);
  const cursor = query.cursor === undefined ? undefined : startOf(query.cursor, order);
  const isDerived = filtersBy(query, source.derived);
  const narrowed = isDerived ? { where: whereOf(source, query) } : await narrow(trx, source, { query });
  const { isMatch } = narrowed;
  const byRow = isMatch === undefined ? narrowed.where : inOrganization([isMatch]);
  const inOrder =
    isReadInOrder(source, query, sort.column) || (isMatch !== undefined && isUnfiltered(source, query));
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
        ? writeCursor({ sort: order, value: last.sorted_by, id: last.id, ...sum })
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
