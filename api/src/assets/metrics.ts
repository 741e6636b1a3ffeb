import { assetSource, type OrganizationTransaction } from '@riskboard/db';
import { highLevel } from '@riskboard/domain';
import { sql } from 'kysely';

interface AssetMetrics {
  total: number;
  /** Health Critical, or a risk score from 7. */
  atRisk: number;
  criticality: number;
  confidentiality: number;
  integrity: number;
}

/** How many assets are at risk, and how many have each level at 4 or more (spec 9, Asset metrics). */
export async function assetMetrics(trx: OrganizationTransaction): Promise<AssetMetrics> {
  const { rows } = await sql<AssetMetrics>`
    select count(*)::int as total,
      count(*) filter (where ${sql.raw(assetSource.columns.status.sql)} = 'at-risk')::int as "atRisk",
      count(*) filter (where r.criticality >= ${highLevel})::int as criticality,
      count(*) filter (where r.confidentiality_level >= ${highLevel})::int as confidentiality,
      count(*) filter (where r.integrity_level >= ${highLevel})::int as integrity
    from ${sql.raw(assetSource.from)} where r.organization_id = current_organization()`.execute(trx);
  return rows[0] ?? { total: 0, atRisk: 0, criticality: 0, confidentiality: 0, integrity: 0 };
}
