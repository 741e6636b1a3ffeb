import { mostCounted } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { isUnfiltered } from './filter.ts';
import type { FilterInput, ListSource } from './source.ts';

/** Number of rows of a list under its filters. */
export interface Total {
  /** Exact, unless it is capped. */
  total: number;
  /** Counting stopped at `mostCounted`: there are more rows. */
  totalIsCapped?: true;
}

/** Number of all rows that match; the cost grows with them. */
export async function count(
  trx: OrganizationTransaction,
  source: ListSource,
  where: RawBuilder<boolean>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from ${sql.raw(source.from)} where ${where}`.execute(trx);
  return rows[0]?.total ?? 0;
}

/** Number of rows that match, or `most` when there are more. */
export async function countUpTo(
  trx: OrganizationTransaction,
  source: ListSource,
  { where, most }: { where: RawBuilder<boolean>; most: number },
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (
      select from ${sql.raw(source.from)} where ${where} limit ${most}
    ) counted`.execute(trx);
  return rows[0]?.total ?? 0;
}

interface TotalInput {
  query: FilterInput;
  where: RawBuilder<boolean>;
  /** The filter field that `where` leaves out. */
  except?: string;
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
  { query, where, except, isExact }: TotalInput,
): Promise<Total> {
  if (source.counter !== undefined && isUnfiltered(source, query, except))
    return { total: await counted(trx, source.counter) };
  if (source.isCountedWhole || isExact) return { total: await count(trx, source, where) };
  const total = await countUpTo(trx, source, { where, most: mostCounted + 1 });
  return total > mostCounted ? { total: mostCounted, totalIsCapped: true } : { total };
}

/** The counter of all rows: triggers keep it exact within each transaction (decision 0036). */
async function counted(
  trx: OrganizationTransaction,
  measure: NonNullable<ListSource['counter']>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(count), 0)::int as total from (
      select count from overview_total
      where organization_id = current_organization() and measure = ${measure} and bucket = ''
      union all
      select count from overview_entry where organization_id = current_organization() and measure = ${measure} and bucket = ''
    ) counts`.execute(trx);
  return rows[0]?.total ?? 0;
}
