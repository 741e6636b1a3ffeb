import { ledgerOf, type OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';

interface AssetMetrics {
  total: number;
  /** Health Critical, or a risk score from 7. */
  atRisk: number;
  criticality: number;
  confidentiality: number;
  integrity: number;
}

/** How many assets are at risk, and how many have each level at 4 or more (spec 9, Asset metrics); from the ledger (migration 0082). */
export async function assetMetrics(trx: OrganizationTransaction): Promise<AssetMetrics> {
  const { rows } = await sql<AssetMetrics>`
    select coalesce(sum(count) filter (where measure = 'assets'), 0)::int as total,
      coalesce(sum(count) filter (where measure = 'assetsAtRisk'), 0)::int as "atRisk",
      coalesce(sum(count) filter (where measure = 'highLevel' and bucket = 'criticality'), 0)::int as criticality,
      coalesce(sum(count) filter (where measure = 'highLevel' and bucket = 'confidentiality'), 0)::int as confidentiality,
      coalesce(sum(count) filter (where measure = 'highLevel' and bucket = 'integrity'), 0)::int as integrity
    from ${ledgerOf('assets', 'assetsAtRisk', 'highLevel')}`.execute(trx);
  return rows[0] ?? { total: 0, atRisk: 0, criticality: 0, confidentiality: 0, integrity: 0 };
}
