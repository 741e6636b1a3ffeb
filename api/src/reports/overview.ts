import {
  isShownJob,
  lengthOf,
  type OrganizationTransaction,
  type OverviewTotal,
  readTotalsOf,
  type RecordTableName,
} from '@riskboard/db';
import { sql } from 'kysely';

/** Number of records from reports: all of them, which a counter has, without those that people made. */
async function countReported(trx: OrganizationTransaction, table: RecordTableName): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}
    where organization_id = current_organization() and source_file = ''`.execute(trx);
  return (await lengthOf(trx, table === 'threat' ? 'threats' : 'vulnerabilities')) - (rows[0]?.count ?? 0);
}

const sumOf = (totals: ReadonlyMap<string, OverviewTotal>, part: keyof OverviewTotal): number =>
  [...totals.values()].reduce((sum, { [part]: value }) => sum + value, 0);

/** `GET /api/reports/overview`: counts over the organization's reports, what they gave, and the jobs that its list shows. */
export async function reportsOverview(trx: OrganizationTransaction) {
  const files = await readTotalsOf(trx, 'reports');
  const last = await sql<{ at: Date }>`
    select uploaded_at as at from report_file where organization_id = current_organization()
    order by uploaded_at desc limit 1`.execute(trx);
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
  return {
    files: sumOf(files, 'count'),
    bytes: sumOf(files, 'sum'),
    byVersion: Object.fromEntries([...files].map(([version, { count }]) => [version, count])),
    vulnerabilities: await countReported(trx, 'vulnerability'),
    threats: await countReported(trx, 'threat'),
    lastUploadAt: last.rows[0]?.at.toISOString() ?? null,
    jobs: jobs.rows[0] ?? { queued: 0, running: 0, failed: 0 },
  };
}
