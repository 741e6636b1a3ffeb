import type { OrganizationTransaction } from '@riskboard/db';
import { riskLevelCardBounds } from '@riskboard/domain';
import { sql } from 'kysely';

const critical = sql.lit(riskLevelCardBounds.critical);
const high = sql.lit(riskLevelCardBounds.high);

interface ThreatMetrics {
  total: number;
  active: number;
  critical: number;
  high: number;
}

/** Critical and High: `riskLevelCardBounds`. */
export async function threatMetrics(trx: OrganizationTransaction): Promise<ThreatMetrics> {
  const { rows } = await sql<ThreatMetrics>`
    select count(*)::int as total,
      count(*) filter (where is_active)::int as active,
      count(*) filter (where risk_level > ${critical})::int as critical,
      count(*) filter (where risk_level > ${high} and risk_level <= ${critical})::int as high
    from threat where organization_id = current_organization()`.execute(trx);
  return rows[0] ?? { total: 0, active: 0, critical: 0, high: 0 };
}
