import { sql } from 'kysely';
import type { OverviewMeasure } from '../overview/totals.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** The counter of all rows: triggers keep it exact within each transaction (decision 0036). */
export async function lengthOf(trx: OrganizationTransaction, measure: OverviewMeasure): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(count), 0)::int as total from (
      select count from overview_total
      where organization_id = current_organization() and measure = ${measure} and bucket = ''
      union all
      select count from overview_entry where organization_id = current_organization() and measure = ${measure} and bucket = ''
    ) counts`.execute(trx);
  return rows[0]?.total ?? 0;
}
