import type { OrganizationTransaction } from '@riskboard/db';
import type { AlertFinding } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import type { WatchingRule } from './rule-findings.ts';

type Select = (ids: readonly string[]) => RawBuilder<AlertFinding>;

const vulnerabilities =
  (detail: RawBuilder<unknown>): Select =>
  (ids) =>
    sql`
    select id as "subjectId", case when cve_id = '' then name else cve_id || ' ' || name end as name, ${detail} as detail
    from vulnerability where organization_id = current_organization() and id = any (${ids}::uuid[])
    order by severity desc nulls last, id`;

const assets: Select = (ids) => sql`
  select id as "subjectId", name, 'Risk score ' || risk_score || ', health ' || health || '.' as detail
  from asset where organization_id = current_organization() and id = any (${ids}::uuid[])
  order by risk_score desc, id`;

const jobs: Select = (ids) => sql`
  select job.id as "subjectId", coalesce(report_file.name, csv_import.file_name, 'a deleted file') as name,
    coalesce(job.error_message, '') as detail
  from job
  left join report_file on report_file.organization_id = job.organization_id and report_file.id = job.file_id
  left join csv_import on csv_import.organization_id = job.organization_id and csv_import.id = job.csv_import_id
  where job.organization_id = current_organization() and job.id = any (${ids}::uuid[])
  order by job.id`;

const severity = vulnerabilities(sql`'Severity ' || severity || '.'`);
const cwss = vulnerabilities(sql`'CWSS score ' || cwss_score || '.'`);

function selectOf({ kind, score }: WatchingRule): Select {
  if (kind === 'import-failed') return jobs;
  if (kind === 'asset-at-risk' || score === 'asset') return assets;
  return score === 'cwss' ? cwss : severity;
}

/** Names of the subjects that still exist, the most severe first. */
export async function subjectTexts(
  trx: OrganizationTransaction,
  rule: WatchingRule,
  ids: readonly string[],
): Promise<AlertFinding[]> {
  if (ids.length === 0) return [];
  const { rows } = await selectOf(rule)(ids).execute(trx);
  return rows.map((row) => ({ ...row, detail: row.detail ?? '' }));
}
