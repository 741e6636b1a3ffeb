import { type RawBuilder, sql } from 'kysely';
import { withoutSorting } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { isByIndex, isUnfiltered, whereOf } from './conditions.ts';
import { startOf, writeCursor } from './cursor.ts';
import { numberOf, readAfter, type Reading, readRows, segmentsFrom, type Sorted } from './read-rows.ts';
import { after, segmentsOf, sortOf, upTo } from './sort.ts';
import type { FilterInput, ListSource } from './source.ts';

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

/** Bytes of the long texts and related names of a part. An export holds up to three parts, also while its client does not read. */
const partBytes = 2 * 1024 * 1024;

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
  list: ListSource,
  { query, cursor, until, ...part }: Walk & Pick<Reading, 'limit' | 'columns' | 'joins'>,
): Promise<Step<Row>> {
  const sort = sortOf(list, query.sort);
  const inOrder = isByIndex(list, query, sort.column);
  // The index gives the rows themselves, so that their ids need not be read first.
  const { shown = list.from, ...others } = list;
  const source = inOrder ? { ...others, from: shown } : list;
  const isWhole = isUnfiltered(source, query);
  const all = whereOf(source, query);
  const isBounded = until !== undefined;
  const where = isBounded ? sql<boolean>`${all} and ${upTo(sort, startOf(until, query.sort))}` : all;
  const reading = { where, sort, inOrder: isWhole || inOrder, isWhole, isBounded, ...part };
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
 * up to it and the rows after it can be read at the same time. Undefined under filters, for a sort without an index or by
 * numbers (their comparison is not leakproof), and where the segment has fewer rows.
 */
export async function cursorAhead(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, cursor, limit }: Walk & { limit: number },
): Promise<string | undefined> {
  const sort = sortOf(source, query.sort);
  const isKnown =
    source.counter === undefined ? isByIndex(source, query, sort.column) : isUnfiltered(source, query);
  if (!isKnown || sort.column.type === 'numeric') return undefined;
  const start = cursor === undefined ? undefined : startOf(cursor, query.sort);
  const all = whereOf(source, query);
  const where = start === undefined ? all : sql<boolean>`${all} and ${after(sort, start)}`;
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

/**
 * How many of the next rows an export reads at once: those whose long values have at most `partBytes` together, and one at
 * least. PostgreSQL knows the size of a stored text without reading it.
 * @param bytes SQL of the size of the long values of a row
 */
export async function rowsOfPart(
  trx: OrganizationTransaction,
  source: ListSource,
  { bytes, limit, ...walk }: Walk & { bytes: RawBuilder<number>; limit: number },
): Promise<number> {
  const columns = sql`r.id, ${bytes} as bytes`;
  const { rows } = await readPart<{ id: string; bytes: number }>(trx, source, { ...walk, limit, columns });
  let sum = 0;
  const fitting = rows.findIndex((row) => (sum += row.bytes) > partBytes);
  return fitting === -1 ? limit : Math.max(1, fitting);
}

/**
 * Reads the next part of all matching rows, for exports of any size.
 * @param walk its `bytes` are SQL of the size of the long values of a row; absent when it has none
 */
export async function walkFrom<Row extends { id: string }>(
  trx: OrganizationTransaction,
  source: ListSource,
  { bytes, ...walk }: Walk & { bytes?: RawBuilder<number> | undefined },
): Promise<Step<Row>> {
  const limit = bytes ? await rowsOfPart(trx, source, { ...walk, bytes, limit: stepSize }) : stepSize;
  return readPart(trx, source, { ...walk, limit });
}

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
