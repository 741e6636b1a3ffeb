import { mostCounted } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { type Condition, inOrganization, ofOrganization } from './filter.ts';
import { conditionsOf } from './conditions.ts';
import { lengthOf } from './length.ts';
import { mergeValues } from './merged-values.ts';
import { mergingIndexes, readingInOrder } from '../query-plans.ts';
import type { FilterInput, ListSource } from './source.ts';

/** How the rows of a request are found. */
export interface Narrowed {
  /** The condition of the rows, in a query that may collect them before it sorts them. */
  where: RawBuilder<boolean>;
  /**
   * The same as a test of each row of the organization, for a query that reads the list in its order until a page is full.
   * It does not compare the organization again, which takes longer than most tests.
   */
  isMatch?: RawBuilder<boolean>;
  /** The condition reads the ids of few rows first, from an index of texts or lists. */
  isCollected?: true;
  /** The number of rows, where it is known. */
  total?: number;
  /** More rows match than are counted. */
  isCapped?: true;
  /** Of the only condition (`Condition`). */
  parts?: Condition['parts'];
  /** Rows of the list for each row that the chosen condition keeps, where this is known and the only condition. */
  rowsPerMatch?: number;
  /** Of a list of more than `mostCounted` rows, matches are counted among the newest. */
  isCountedInNewest?: true;
}

type Indexed = Required<Pick<Condition, 'ids'>> & Condition;

const isIndexed = (condition: Condition): condition is Indexed => condition.ids !== undefined;

const byRow = ({ isMet, isMetByRow }: Condition): RawBuilder<boolean> => isMetByRow ?? isMet;

/** Ids that are read at once and sent back as values. */
const mostIdsSent = 1000;

interface FoundIds {
  condition: Indexed;
  /** Rows that meet the condition, or one more than are counted. */
  count: number;
  /** Their ids, of at most `mostIdsSent`; of a merged condition, of as many as are counted. */
  ids: string[] | null;
}

async function findIds(trx: OrganizationTransaction, condition: Indexed): Promise<FoundIds> {
  const most = mostCounted + 1;
  const counted = condition.count?.(most);
  if (counted !== undefined) {
    // Without `offset 0` the planner merges the subquery and counts once for each mention of `count`.
    const { rows } = await sql<{ count: number; ids: string[] | null }>`
      select count, case when count <= ${mostIdsSent} then array(
        select distinct id from (${condition.ids(mostIdsSent)}) found (id)
      ) end as ids
      from (select ${counted} as count offset 0) counted`.execute(trx);
    return { condition, count: rows[0]?.count ?? 0, ids: rows[0]?.ids ?? null };
  }
  const found =
    condition.find?.(most, mostIdsSent) ??
    sql`
      select count(*)::int as count, case when count(*) <= ${mostIdsSent} then coalesce(array_agg(id), '{}') end as ids
      from (select distinct id from (${condition.ids(most)}) found (id) limit ${most}) counted`;
  const read = () => sql<{ count: number; ids: string[] | null }>`${found}`.execute(trx);
  const { rows } = await (condition.isMerged ? mergingIndexes(trx, read) : read());
  return { condition, count: rows[0]?.count ?? 0, ids: rows[0]?.ids ?? null };
}

/** What one request has found out about its conditions, for several fields of facets. */
export interface Seen {
  /** Rows of the whole list; 0 where the overview does not count them. */
  length?: number;
  /** By the name of the condition; undefined for a common word. */
  ids?: Map<string, FoundIds | undefined>;
}

async function findFew(
  trx: OrganizationTransaction,
  source: ListSource,
  { condition, isLong }: { condition: Indexed; isLong: boolean },
): Promise<FoundIds | undefined> {
  // A trigram index reads all matches of a common word, of all organizations, before it returns the first.
  const text = isLong ? condition.isMetByRow : undefined;
  if (text !== undefined && (await isCommon(trx, source, text))) return undefined;
  return findIds(trx, condition);
}

/**
 * Chooses how rows are found under the conditions of a request. The condition that at most `mostCounted` rows meet gives
 * the rows, which are then tested for the others: the planner cannot choose it, because it keeps no statistics about
 * organizations (decision 0020). When more rows meet each of them, they may be tested in the order of the list.
 * @param query without the field `except`
 * @param seen filled, for the next call of the same request
 */
export async function narrow(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, except, seen = {} }: { query: FilterInput; except?: string | undefined; seen?: Seen },
): Promise<Narrowed> {
  const requested = conditionsOf(source, query, except);
  const where = inOrganization(requested.map(({ isMet }) => isMet));
  if (source.table === undefined && !requested.some(({ isMetByRow }) => isMetByRow !== undefined))
    return { where };
  const tests = requested.map(byRow);
  const isMatch = tests.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(tests, sql` and `)})`;
  if (!requested.some((condition) => isIndexed(condition) || condition.isValue !== undefined))
    return { where, isMatch };
  seen.length ??= source.counter === undefined ? 0 : await lengthOf(trx, source.counter);
  const { length, ids: known = new Map<string, FoundIds | undefined>() } = seen;
  const isLong = length > mostCounted;
  const conditions = isLong ? mergeValues(source, requested) : requested;
  const indexed = conditions.filter(isIndexed);
  if (indexed.length === 0) return { where, isMatch };
  seen.ids = known;
  for (const condition of indexed)
    if (!known.has(condition.name))
      known.set(condition.name, await findFew(trx, source, { condition, isLong }));
  let fewest: FoundIds | undefined;
  for (const { name } of indexed) {
    const found = known.get(name);
    if (found !== undefined && found.count < (fewest?.count ?? Infinity)) fewest = found;
  }
  if (fewest !== undefined && fewest.count <= mostCounted) {
    const { condition: chosen, count, ids } = fewest;
    const others = conditions.filter((condition) => condition !== chosen).map(byRow);
    const among = ids === null ? sql`array(${chosen.ids(mostCounted)})` : sql`${ids}::uuid[]`;
    return {
      where: inOrganization([sql`r.id = any (${among})`, ...others]),
      isCollected: true,
      ...(count > mostIdsSent && { isMatch }),
      ...(others.length === 0 && { total: count, rowsPerMatch: length / Math.max(1, count) }),
    };
  }
  if (fewest !== undefined && conditions.length === 1)
    return { where, isMatch, isCapped: true, parts: fewest.condition.parts };
  const isCountedInNewest = isLong && indexed.some(({ isMerged }) => isMerged === undefined);
  return isCountedInNewest
    ? { where: inOrganization([isMatch]), isMatch, isCountedInNewest }
    : { where, isMatch };
}

/** The newest rows of a long list in which a word is looked for, and the matches among them that make it common. */
const [rowsOfWord, rowsOfCommonWord] = [300, 16];

const isCommon = async (
  trx: OrganizationTransaction,
  source: ListSource,
  test: RawBuilder<boolean>,
): Promise<boolean> => (await countInNewest(trx, source, { test, newest: rowsOfWord })) >= rowsOfCommonWord;

/** Number of the newest rows of the list that match. */
export async function countInNewest(
  trx: OrganizationTransaction,
  source: ListSource,
  { test, newest }: { test: RawBuilder<boolean>; newest: number },
): Promise<number> {
  const { rows } = await readingInOrder(trx, () =>
    sql<{ n: number }>`
      select count(*)::int as n from (
        select r.* from ${sql.raw(source.from)} where ${ofOrganization} order by r.id desc limit ${sql.lit(newest)}
      ) r where ${test}`.execute(trx),
  );
  return rows[0]?.n ?? 0;
}

/** Rows of a list, or of its rest, that are tested one by one for a page of matches. */
export const rowsTested = 5000;

/** The same at most, where the number of matches says that so many rows hold the page. */
const mostTested = 20_000;

/** Finding a row by its id takes as long as testing this many in the order of the list. */
const testsPerId = 3;

/**
 * The number of rows to test, in the order of the list, for this many matches. 0 when collecting all that match is less
 * work.
 */
export function rowsToTest({ rowsPerMatch, total }: Narrowed, least: number): number {
  if (least > rowsTested) return 0;
  if (rowsPerMatch === undefined || total === undefined) return rowsTested;
  const expected = least * rowsPerMatch;
  if (expected > total * testsPerId) return 0;
  return Math.round(Math.min(mostTested, Math.max(rowsTested, 2 * expected)));
}

interface Start {
  /** A test of each row of the organization. */
  isMatch: RawBuilder<boolean>;
  /** Where reading begins, in this order. */
  condition: RawBuilder<boolean>;
  order: RawBuilder<unknown>;
  /** Rows that must be found. */
  least: number;
}

/** Whether the first rows after the start hold as many matches as are wanted, so that reading in order ends soon. */
export async function isFoundSoon(
  trx: OrganizationTransaction,
  source: ListSource,
  { isMatch, condition, order, least }: Start,
): Promise<boolean> {
  if (least > rowsTested) return false;
  const { rows } = await readingInOrder(trx, () =>
    sql<{ n: number }>`
      select count(*)::int as n from (
        select from ${firstRows(source, { condition, order, most: rowsTested })} where ${isMatch} limit ${least}
      ) shown`.execute(trx),
  );
  return rows[0]?.n === least;
}

/** A FROM clause: the first rows of a list after a start, as `r`. */
export const firstRows = (
  source: Pick<ListSource, 'from'>,
  { condition, order, most }: Pick<Start, 'condition' | 'order'> & { most: number },
): RawBuilder<unknown> => sql`(
  select r.* from ${sql.raw(source.from)} where ${ofOrganization} and ${condition}
  order by ${order} limit ${sql.lit(most)}
) r`;
