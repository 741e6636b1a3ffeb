import { mostCounted } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { isUnfiltered } from './conditions.ts';
import { lengthOf } from './length.ts';
import { countInNewest, type Narrowed } from './narrow.ts';
import { stoppingSoon } from '../query-plans.ts';
import { type FilterInput, idsFrom, type ListSource } from './source.ts';

/** Number of rows of a list under its filters. */
export interface Total {
  /** Exact, unless it is capped. */
  total: number;
  /** Counting stopped: there may be more rows. */
  totalIsCapped?: true;
}

/** Number of all rows that match; the cost grows with them. */
export async function count(
  trx: OrganizationTransaction,
  source: ListSource,
  where: RawBuilder<boolean>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from ${sql.raw(idsFrom(source))} where ${where}`.execute(trx);
  return rows[0]?.total ?? 0;
}

/**
 * Number of rows that match, or `most` when there are more.
 * @param order an order whose index holds the rows, which alone is then read
 */
export async function countUpTo(
  trx: OrganizationTransaction,
  source: ListSource,
  { where, order, most }: { where: RawBuilder<boolean>; order?: RawBuilder<unknown>; most: number },
): Promise<number> {
  const ordered = order === undefined ? sql`` : sql`order by ${order}`;
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (
      select from ${sql.raw(idsFrom(source))} where ${where} ${ordered} limit ${most}
    ) counted`.execute(trx);
  return rows[0]?.total ?? 0;
}

interface TotalInput {
  query: FilterInput;
  narrowed: Narrowed;
  /** The filter field that the condition leaves out. */
  except?: string | undefined;
  /** Counts all rows. */
  isExact?: boolean;
}

/**
 * The total that a list shows: of the whole list the counter of the overview where it has one; otherwise counted, at most
 * to `mostCounted`.
 */
export async function totalOf(
  trx: OrganizationTransaction,
  source: ListSource,
  {
    query,
    narrowed: { where, isMatch = where, isCollected, total: known, isCapped, isCountedInNewest },
    except,
    isExact,
  }: TotalInput,
): Promise<Total> {
  if (source.counter !== undefined && isUnfiltered(source, query, except))
    return { total: await lengthOf(trx, source.counter) };
  if (source.isCountedWhole || isExact) return { total: await count(trx, source, where) };
  if (known !== undefined) return { total: known };
  if (isCapped) return { total: mostCounted, totalIsCapped: true };
  if (isCountedInNewest)
    return {
      total: await countInNewest(trx, source, { test: isMatch, newest: mostCounted }),
      totalIsCapped: true,
    };
  const counting = () => countUpTo(trx, source, { where, most: mostCounted + 1 });
  const total = await (isCollected ? counting() : stoppingSoon(trx, counting));
  return total > mostCounted ? { total: mostCounted, totalIsCapped: true } : { total };
}
