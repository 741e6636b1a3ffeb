import { isShownJob, type OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';

/** `GET /api/reports/overview`: counts over the organization's reports, what they gave, and the jobs that its list shows. */
export async function reportsOverview(trx: OrganizationTransaction) {
  const files = await sql<{
    files: number;
    bytes: number;
    last: Date | null;
    versions: Record<string, number> | null;
  }>`
    select coalesce(sum(n), 0)::int as files, coalesce(sum(bytes), 0)::bigint as bytes, max(last) as last,
      jsonb_object_agg(version, n) as versions
    from (
      select coalesce(stix_version, 'unknown') as version, count(*)::int as n, sum(size) as bytes, max(uploaded_at) as last
      from report_file where organization_id = current_organization() group by 1
    ) v`.execute(trx);
  const records = await sql<{ vulnerabilities: number; threats: number }>`
    select
      (select count(*)::int from vulnerability where organization_id = current_organization() and source_file <> '') as vulnerabilities,
      (select count(*)::int from threat where organization_id = current_organization() and source_file <> '') as threats`.execute(
    trx,
  );
  const jobs = await sql<{ queued: number; running: number; failed: number }>`
    select count(*) filter (where state = 'queued')::int as queued,
      count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'failed')::int as failed
    from job where organization_id = current_organization() and ${sql.raw(isShownJob)}`.execute(trx);
  const [file] = files.rows;
  return {
    files: file?.files ?? 0,
    bytes: file?.bytes ?? 0,
    byVersion: file?.versions ?? {},
    vulnerabilities: records.rows[0]?.vulnerabilities ?? 0,
    threats: records.rows[0]?.threats ?? 0,
    lastUploadAt: file?.last?.toISOString() ?? null,
    jobs: jobs.rows[0] ?? { queued: 0, running: 0, failed: 0 },
  };
}
