import { isNewVulnerability, type OrganizationTransaction } from '@riskboard/db';
import { severityCardBounds } from '@riskboard/domain';
import { sql } from 'kysely';

const critical = sql.lit(severityCardBounds.critical);
const high = sql.lit(severityCardBounds.high);

interface VulnerabilityMetrics {
  total: number;
  open: number;
  critical: number;
  high: number;
  fixed: number;
  new: number;
  averageCvss: number | null;
}

/** Critical and High: `severityCardBounds`; new: as the list filters. */
export async function vulnerabilityMetrics(trx: OrganizationTransaction): Promise<VulnerabilityMetrics> {
  const { rows } = await sql<VulnerabilityMetrics>`
    select count(*)::int as total,
      count(*) filter (where status = 'open')::int as open,
      count(*) filter (where severity > ${critical})::int as critical,
      count(*) filter (where severity > ${high} and severity <= ${critical})::int as high,
      count(*) filter (where status = 'fixed')::int as fixed,
      count(*) filter (where ${sql.raw(isNewVulnerability)})::int as new,
      round(avg(cvss_score), 1) as "averageCvss"
    from vulnerability r where organization_id = current_organization()`.execute(trx);
  return rows[0] ?? { total: 0, open: 0, critical: 0, high: 0, fixed: 0, new: 0, averageCvss: null };
}
