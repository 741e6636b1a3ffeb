import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { whereOf } from './filter.ts';
import type { FilterInput, ListSource } from './source.ts';

/**
 * First rows of a list, or of its rest, in which rows are looked for row by row. The planner expects 1/200 of a table
 * (decision 20) and sorts whole lists that it expects to be shorter than this.
 */
const rowsTested = 1000;

interface Wanted {
  query: FilterInput;
  /** Where reading begins, in this order. */
  start: RawBuilder<boolean>;
  order: RawBuilder<unknown>;
  /** Rows that must be found. */
  least: number;
  /** The filter field to leave out. */
  except?: string;
}

/**
 * The condition to read rows with when the first rows after the start contain as many as are wanted. Without one, all
 * rows of a filter are found first: that takes longer for many, but not when the list begins with rows of others.
 */
export async function conditionRowByRow(
  trx: OrganizationTransaction,
  source: ListSource,
  { query, start, order, least, except }: Wanted,
): Promise<RawBuilder<boolean> | undefined> {
  const found = source.rowByRow?.(query);
  if (found === undefined || least > rowsTested) return undefined;
  const condition = sql<boolean>`${whereOf(source, found.input, except)} and ${found.isShown}`;
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from (
        select r.* from ${sql.raw(source.from)} where r.organization_id = current_organization() and ${start}
        order by ${order} limit ${sql.lit(rowsTested)}
      ) r where ${condition} limit ${least}
    ) shown`.execute(trx);
  return rows[0]?.n === least ? condition : undefined;
}
