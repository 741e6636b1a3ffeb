import type { Call, JobState, ReportFile, reports } from '@riskboard/contract';
import {
  issuesOfReportFile,
  type OrganizationTransaction,
  parseStateOfReportFile,
  type ReportFileRow,
  reportFileSource,
  type ReportFileTable,
} from '@riskboard/db';
import { type Selectable, sql } from 'kysely';
import { showPage } from '../../lib/list.ts';

/** Files with the state of their newest parse. */
export const selectFiles = (trx: OrganizationTransaction) =>
  trx
    .selectFrom('report_file')
    .leftJoin('job', (join) =>
      join
        .onRef('job.organization_id', '=', 'report_file.organization_id')
        .onRef('job.id', '=', 'report_file.parse_job_id'),
    )
    .selectAll('report_file')
    .select([
      sql<JobState | null>`${sql.raw(parseStateOfReportFile)}`.as('parse_state'),
      'job.error_message as parse_error',
      sql<number>`${sql.raw(issuesOfReportFile)}`.as('issues'),
    ]);

export type FileRow = Selectable<ReportFileTable> & ReportFileRow;

/** A file's row as the contract shows it. */
export const presentFile = (row: ReportFileRow): ReportFile => ({
  _id: row.id,
  originalFilename: row.name,
  stixVersion: row.stix_version,
  media: row.media,
  uploadDate: row.uploaded_at.toISOString(),
  size: row.size,
  sha256: row.sha256.toString('hex'),
  parseState: row.parse_state ?? 'queued',
  parseError: row.parse_error,
  vulnerabilityCount: row.vulnerability_count,
  threatCount: row.threat_count,
  vulnerabilityRecords: row.vulnerability_records,
  threatRecords: row.threat_records,
  objects: row.objects,
  warnings: row.warnings,
  issues: row.issues,
  incomplete: row.incomplete,
});

export async function listFiles(trx: OrganizationTransaction, query: Call<typeof reports.files>['query']) {
  const { rows, ...page } = await showPage(trx, reportFileSource, { query, present: presentFile });
  return { files: rows, ...page };
}
