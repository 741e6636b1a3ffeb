import {
  countOf,
  type OrganizationTransaction,
  type OverviewEntry,
  type OverviewTotals,
} from '@riskboard/db';
import {
  type CountFlow,
  firstNewDay,
  type RiskCount,
  type SeverityFlow,
  type SeveritySum,
} from '@riskboard/domain';
import { sql } from 'kysely';

/** The UTC day of the database's clock, YYYY-MM-DD. */
export async function todayOf(trx: OrganizationTransaction): Promise<string> {
  const { rows } = await sql<{ day: string }>`select (now() at time zone 'UTC')::date as day`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('The database returned no day.');
  return row.day;
}

/** The first day with entries; null before the first change. */
export async function recordedSince(trx: OrganizationTransaction): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select least(
      (select min(day) from overview_day where organization_id = current_organization()),
      (select min(day) from overview_entry where organization_id = current_organization())) as day`.execute(
    trx,
  );
  return rows[0]?.day ?? null;
}

/** The counts of the overall risk score at the end of a UTC day. */
export function riskCountsAt(totals: OverviewTotals, day: string): Record<RiskCount, number> {
  const since = firstNewDay(day);
  const open = [...(totals.get('open') ?? [])];
  return {
    totalThreats: countOf(totals, 'threats'),
    openVulnerabilities: countOf(totals, 'open'),
    newVulnerabilities: open.reduce((sum, [created, { count }]) => sum + (created >= since ? count : 0), 0),
    assetsAtRisk: countOf(totals, 'assetsAtRisk'),
  };
}

/** The open vulnerabilities with a severity. */
export function openSeverities(totals: OverviewTotals): SeveritySum {
  let [count, sum] = [0, 0];
  for (const [band, total] of totals.get('openSeverity') ?? [])
    if (band !== 'none') [count, sum] = [count + total.count, sum + total.sum];
  return { count, sum };
}

/**
 * What changed the counts of the overall risk score after the end of one UTC day until the end of another. Vulnerabilities
 * that are no longer new because time passed have no entry: they are in the totals of the earlier day.
 */
export function riskFlows(
  before: OverviewTotals,
  entries: readonly OverviewEntry[],
  { from, to }: { from: string; to: string },
): CountFlow[] {
  const [formerly, since] = [firstNewDay(from), firstNewDay(to)];
  const flows = entries.flatMap(({ measure, bucket, cause, count: rows }): CountFlow[] => {
    if (measure === 'threats') return [{ count: 'totalThreats', cause, rows }];
    if (measure === 'assetsAtRisk') return [{ count: 'assetsAtRisk', cause, rows }];
    if (measure !== 'open') return [];
    const flow: CountFlow = { count: 'openVulnerabilities', cause, rows };
    return bucket >= since ? [flow, { ...flow, count: 'newVulnerabilities' }] : [flow];
  });
  for (const [created, { count }] of before.get('open') ?? [])
    if (created >= formerly && created < since)
      flows.push({ count: 'newVulnerabilities', cause: 'aged', rows: -count });
  return flows;
}

/** What changed the open vulnerabilities with a severity. */
export const severityFlows = (entries: readonly OverviewEntry[]): SeverityFlow[] =>
  entries.flatMap(({ measure, bucket, cause, count, sum }) =>
    measure === 'openSeverity' && bucket !== 'none' ? [{ cause, count, sum }] : [],
  );
