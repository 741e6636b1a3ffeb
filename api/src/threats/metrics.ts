import { ledgerOf, type OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';

interface ThreatMetrics {
  total: number;
  active: number;
  critical: number;
  high: number;
}

/** From the ledger, which counts Critical and High by `riskLevelCardBounds` (migration 0082). */
export async function threatMetrics(trx: OrganizationTransaction): Promise<ThreatMetrics> {
  const { rows } = await sql<ThreatMetrics>`
    select coalesce(sum(count) filter (where measure = 'threats'), 0)::int as total,
      coalesce(sum(count) filter (where measure = 'threatsActive'), 0)::int as active,
      coalesce(sum(count) filter (where measure = 'riskCard' and bucket = 'critical'), 0)::int as critical,
      coalesce(sum(count) filter (where measure = 'riskCard' and bucket = 'high'), 0)::int as high
    from ${ledgerOf('threats', 'threatsActive', 'riskCard')}`.execute(trx);
  return rows[0] ?? { total: 0, active: 0, critical: 0, high: 0 };
}
