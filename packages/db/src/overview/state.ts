import { overallRisk, overviewCounts } from '@riskboard/domain';
import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { type OverviewTotals, readTotals } from './totals.ts';

/** The totals of now, which one statement reads: all numbers of a reply belong to the same moment. */
export interface OverviewState {
  totals: OverviewTotals;
  /** UTC day of the database, YYYY-MM-DD. */
  today: string;
  asOf: string;
}

/**
 * Reads the ledger; the cost does not grow with the records of the organization.
 * @param form `all` for what counts by month, else `snapshot` (see `readTotals`)
 */
export async function readOverviewState(
  trx: OrganizationTransaction,
  form: 'all' | 'snapshot' = 'snapshot',
): Promise<OverviewState> {
  const { rows } = await sql<{ today: string; at: Date }>`
    select (now() at time zone 'UTC')::date as today, clock_timestamp() as at`.execute(trx);
  const [now] = rows;
  if (now === undefined) throw new Error('The database returned no time.');
  return { totals: await readTotals(trx, { form }), today: now.today, asOf: now.at.toISOString() };
}

/** The overall risk score of now, 0 to 100: the number of the overview (spec 9, Overview). */
export async function readOverallScore(trx: OrganizationTransaction): Promise<number> {
  const { totals, today } = await readOverviewState(trx);
  return overallRisk(overviewCounts(totals, today)).score;
}
