import { isShownJob, lengthOf, type OrganizationTransaction, type RecordTableName } from '@riskboard/db';
import { sql } from 'kysely';

/** Number of records from reports: all of them, which a counter has, without those that people made. */
async function countReported(trx: OrganizationTransaction, table: RecordTableName): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}
    where organization_id = current_organization() and source_file = ''`.execute(trx);
  return (await lengthOf(trx, table === 'threat' ? 'threats' : 'vulnerabilities')) - (rows[0]?.count ?? 0);
}

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
  // Each state has an index of its own: most jobs have succeeded.
  const jobs = await sql<{ queued: number; running: number; failed: number }>`
    select count(*) filter (where state = 'queued')::int as queued,
      count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'failed')::int as failed
    from (
      select * from job where organization_id = current_organization() and state in ('queued', 'running')
      union all
      select * from job where organization_id = current_organization() and state = 'failed'
    ) job where ${sql.raw(isShownJob)}`.execute(trx);
  const [file] = files.rows;
  return {
    files: file?.files ?? 0,
    bytes: file?.bytes ?? 0,
    byVersion: file?.versions ?? {},
    vulnerabilities: await countReported(trx, 'vulnerability'),
    threats: await countReported(trx, 'threat'),
    lastUploadAt: file?.last?.toISOString() ?? null,
    jobs: jobs.rows[0] ?? { queued: 0, running: 0, failed: 0 },
  };
}
