import { assetSource, type OrganizationTransaction } from '@riskboard/db';
import { type AlertFinding, severityBands, vulnerabilityTitle } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import type { WatchingRule } from './rule-findings.ts';

interface Row extends AlertFinding {
  /** Of vulnerabilities. */
  cveId?: string;
}

type Select = (ids: readonly string[]) => RawBuilder<Row>;

const vulnerabilities =
  (detail: RawBuilder<unknown>, condition: RawBuilder<unknown>): Select =>
  (ids) =>
    sql`
    select id as "subjectId", cve_id as "cveId", name, ${detail} as detail
    from vulnerability where organization_id = current_organization() and id = any (${ids}::uuid[]) and ${condition}
    order by severity desc nulls last, id`;

const assets =
  (condition: RawBuilder<unknown>): Select =>
  (ids) =>
    sql`
  select id as "subjectId", name, 'Risk score ' || risk_score || ', health ' || health || '. Related records of every status count.' as detail
  from asset r where organization_id = current_organization() and id = any (${ids}::uuid[]) and ${condition}
  order by risk_score desc, id`;

const jobs: Select = (ids) => sql`
  select job.id as "subjectId", coalesce(report_file.name, csv_import.file_name, 'a deleted file') as name,
    coalesce(job.error_message, '') as detail
  from job
  left join report_file on report_file.organization_id = job.organization_id and report_file.id = job.file_id
  left join csv_import on csv_import.organization_id = job.organization_id and csv_import.id = job.csv_import_id
  where job.organization_id = current_organization() and job.id = any (${ids}::uuid[]) and job.state = 'failed'
  order by job.id`;

/** As the triggers test it (migration 0036). */
const isCritical = sql`status = 'open' and severity >= ${severityBands[0].from}`;
const isAtRisk = sql`${sql.raw(assetSource.columns.status.sql)} = 'at-risk'`;

/** The condition of a rule is tested again: the subject, or the rule's value, may have changed since it was noted. */
function selectOf({ kind, score, threshold }: WatchingRule): Select {
  if (kind === 'import-failed') return jobs;
  if (kind === 'asset-at-risk') return assets(isAtRisk);
  if (score === 'asset') return assets(sql`risk_score > ${threshold}`);
  if (score === 'cwss')
    return vulnerabilities(sql`'CWSS score ' || cwss_score || '.'`, sql`cwss_score > ${threshold}`);
  return vulnerabilities(sql`'Severity ' || severity || '.'`, isCritical);
}

/** Names of the subjects that still exist and still meet the rule's condition, the most severe first. */
export async function subjectTexts(
  trx: OrganizationTransaction,
  rule: WatchingRule,
  ids: readonly string[],
): Promise<AlertFinding[]> {
  if (ids.length === 0) return [];
  const { rows } = await selectOf(rule)(ids).execute(trx);
  return rows.map(({ subjectId, cveId = '', name, detail }) => ({
    subjectId,
    name: vulnerabilityTitle({ cveId, name }),
    detail: detail ?? '',
  }));
}
