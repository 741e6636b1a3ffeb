import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';

interface ThreatMetrics {
  total: number;
  active: number;
  critical: number;
  high: number;
}

/** Critical is a risk level above 70; High is above 40 and up to 70 (spec 9, Threat metrics cards). */
export async function threatMetrics(trx: OrganizationTransaction): Promise<ThreatMetrics> {
  const { rows } = await sql<ThreatMetrics>`
    select count(*)::int as total,
      count(*) filter (where is_active)::int as active,
      count(*) filter (where risk_level > 70)::int as critical,
      count(*) filter (where risk_level > 40 and risk_level <= 70)::int as high
    from threat where organization_id = current_organization()`.execute(trx);
  return rows[0] ?? { total: 0, active: 0, critical: 0, high: 0 };
}
