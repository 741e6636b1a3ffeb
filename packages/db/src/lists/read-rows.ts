import { type RawBuilder, sql } from 'kysely';
import { readingInOrder } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { BadCursor, type Cursor, refuseCursor } from './cursor.ts';
import { ofOrganization } from './filter.ts';
import { after, orderBy, type Segment, segmentsOf, type Sort, sortValue } from './sort.ts';
import { idsFrom, type ListSource, tableColumn } from './source.ts';
import { count, countUpTo } from './total.ts';

/** A row of a sorted list, with its value of the sort. */
export type Sorted<Row> = Row & {
  sorted_by: string | null;
  /** The number of rows whose lines are joined in this one, which has the id and the sort value of the last. */
  joined?: number;
};

/** The number of rows, with those whose lines are joined. */
export const numberOf = <Row>(rows: readonly Sorted<Row>[]): number =>
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

/** What is read of a sorted list. */
export interface Reading {
  where: RawBuilder<boolean>;
  sort: Sort;
  segments: readonly Segment[];
  limit: number;
  offset?: number;
  /** Columns to read; by default those of a row of the list. */
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

/** SQL of the columns of a row of the list. */
export const columnsOf = ({ rowColumns }: ListSource): RawBuilder<unknown> => rowColumns ?? sql`r.*`;

/**
 * Rows of a sorted list, read segment by segment: each is read from an index in order, and skipped rows are skipped in the
 * index alone.
 */
export async function readRows<Row>(
  trx: OrganizationTransaction,
  source: ListSource,
  { where, sort, segments, limit, offset = 0, columns = columnsOf(source), joins = false, inOrder }: Reading,
): Promise<Sorted<Row>[]> {
  const run = <T>(work: () => Promise<T>): Promise<T> => (inOrder ? readingInOrder(trx, work) : work());
  const read: Sorted<Row>[] = [];
  let skipped = offset;
  for (const { condition, order } of segments) {
    const missing = limit - numberOf(read);
    if (missing === 0) break;
    const inSegment = sql<boolean>`${where} and ${condition}`;
    const part = sql`order by ${order} limit ${missing} offset ${skipped}`;
    const isDirect = source.isIdNumber === true || (skipped === 0 && source.shown === undefined);
    const rows = isDirect
      ? await run(() => rowsFrom(sql`${sql.raw(source.from)} where ${inSegment} ${part}`))
      : await rowsById(await run(() => idsIn(trx, source, sql`${inSegment} ${part}`)), order);
    read.push(...rows);
    if (rows.length > 0) skipped = 0;
    else if (skipped > 0)
      skipped -= await run(() => countUpTo(trx, source, { where: inSegment, order, most: skipped }));
  }
  return read;

  async function rowsFrom(chosen: RawBuilder<unknown>): Promise<Sorted<Row>[]> {
    const selected = sql`
      select ${columns}, ${sortValue(sort.column)}::text as sorted_by
      from ${chosen}`;
    const { rows } = await sql<Sorted<Row>>`${joins ? joinLines(selected) : selected}`.execute(trx);
    return rows;
  }

  async function rowsById(ids: readonly string[], order: RawBuilder<unknown>): Promise<Sorted<Row>[]> {
    return ids.length === 0 ? [] : rowsFrom(rowsOf(source, ids, order));
  }
}

/**
 * The rows `r` of these ids, which are in this order. Where a row costs little by itself, each is looked up by its key
 * (`offset 0`): the planner expects few rows in an organization, and for a list of ids it may read a whole index of the
 * organization that has the id in a later column. The other lists compute columns of all rows together, once for all ids.
 */
export function rowsOf(
  { table, shown, from }: Pick<ListSource, 'table' | 'shown' | 'from'>,
  ids: readonly string[],
  order: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const rows = sql.raw(shown ?? from);
  if (table === undefined && shown === undefined)
    return sql`${rows} where ${ofOrganization} and r.id = any (${ids}::uuid[]) order by ${order}`;
  return sql`
    unnest(${ids}::uuid[]) with ordinality chosen (chosen_id, place)
    cross join lateral (
      select * from ${rows} where ${ofOrganization} and r.id = chosen.chosen_id offset 0
    ) r order by chosen.place`;
}

async function idsIn(
  trx: OrganizationTransaction,
  source: ListSource,
  chosen: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from ${sql.raw(idsFrom(source))} where ${chosen}`.execute(trx);
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
export const segmentsFrom = (sort: Sort, cursor: Cursor | undefined): Segment[] =>
  segmentsOf(sort).filter(({ holds }) => cursor?.value !== null || holds === 'empty');

/** Rows after the cursor. @throws BadCursor for a value that the column cannot hold */
export async function readAfter<Row>(
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
export async function readCounted<Row>(
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
    select ${columnsOf(source)}, ${sortValue(sort.column)}::text as sorted_by, (select max(total) from chosen) as total_rows
    from ${sql.raw(source.shown ?? source.from)}
    where ${ofOrganization} and r.id = any (array(select id from chosen))
    order by ${order}`.execute(trx);
  const total = rows[0]?.total_rows ?? (offset === 0 ? 0 : await count(trx, source, where));
  return { rows, total };
}
