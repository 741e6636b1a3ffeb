import { ledgerOf, type OrganizationTransaction } from '@riskboard/db';
import { newDays } from '@riskboard/domain';
import { sql } from 'kysely';

interface VulnerabilityMetrics {
  total: number;
  open: number;
  critical: number;
  high: number;
  fixed: number;
  new: number;
  averageCvss: number | null;
}

/**
 * From the ledger, which counts Critical and High by `severityCardBounds` (migration 0082) and open vulnerabilities by the UTC day
 * of their creation; new: as the list filters.
 */
export async function vulnerabilityMetrics(trx: OrganizationTransaction): Promise<VulnerabilityMetrics> {
  const { rows } = await sql<VulnerabilityMetrics>`
    select coalesce(sum(count) filter (where measure = 'vulnerabilities'), 0)::int as total,
      coalesce(sum(count) filter (where measure = 'open'), 0)::int as open,
      coalesce(sum(count) filter (where measure = 'severityCard' and bucket = 'critical'), 0)::int as critical,
      coalesce(sum(count) filter (where measure = 'severityCard' and bucket = 'high'), 0)::int as high,
      coalesce(sum(count) filter (where measure = 'fixed'), 0)::int as fixed,
      coalesce(sum(count) filter (where measure = 'open' and bucket collate "C"
        >= to_char((now() at time zone 'UTC')::date - ${newDays}::integer, 'YYYY-MM-DD')), 0)::int as new,
      round(sum(sum) filter (where measure = 'cvss') / nullif(sum(count) filter (where measure = 'cvss'), 0), 1) as "averageCvss"
    from ${ledgerOf('vulnerabilities', 'open', 'severityCard', 'fixed', 'cvss')}`.execute(trx);
  return rows[0] ?? { total: 0, open: 0, critical: 0, high: 0, fixed: 0, new: 0, averageCvss: null };
}
