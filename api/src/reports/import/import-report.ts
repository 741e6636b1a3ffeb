import type { Call, Facets, ImportObject, ImportReport, Outcome, reports } from '@riskboard/contract';
import {
  facetsOf,
  importObjectSource,
  type OrganizationTransaction,
  type ReportFileTable,
} from '@riskboard/db';
import { type Selectable, sql } from 'kysely';
import { Failure } from '../../lib/http/failure.ts';
import { showPage } from '../../lib/list.ts';

type ByType = ImportReport['byType'];

/** A file that this organization has. @throws Failure 404 otherwise, another organization's included. */
export async function findFile(
  trx: OrganizationTransaction,
  id: string,
): Promise<Selectable<ReportFileTable>> {
  const file = await trx.selectFrom('report_file').selectAll().where('id', '=', id).executeTakeFirst();
  if (!file) throw new Failure('not_found');
  return file;
}

/**
 * A file whose content has been read.
 * @throws Failure 404, or 409 with the reason while the report has not been read or when it could not be read
 */
export async function findReadFile(trx: OrganizationTransaction, id: string) {
  const { object_count: objectCount, ...file } = await findFile(trx, id);
  if (objectCount !== null) return { ...file, object_count: objectCount };
  const parse = await trx
    .selectFrom('job')
    .select(['state', 'error_message'])
    .where('id', '=', file.parse_job_id)
    .executeTakeFirst();
  const messages: Record<string, string> = {
    failed: `The report could not be read. ${parse?.error_message ?? ''}`.trim(),
    cancelled: 'Reading the report was cancelled.',
  };
  throw new Failure('conflict', messages[parse?.state ?? ''] ?? 'The report has not been read yet.');
}

/** Records that the last reading removed; undefined for none. */
async function removedBy(
  trx: OrganizationTransaction,
  jobId: string | null,
): Promise<ImportReport['removed']> {
  const parse = await trx
    .selectFrom('job')
    .select(sql<ImportReport['removed'] | null>`result -> 'removed'`.as('removed'))
    .where('id', '=', jobId)
    .executeTakeFirst();
  return parse?.removed ?? undefined;
}

/** @throws Failure 409 while the report has not been read, or could not be. */
export async function importReport(trx: OrganizationTransaction, id: string): Promise<ImportReport> {
  const file = await findReadFile(trx, id);
  const active = (file.vulnerability_records ?? 0) + (file.threat_records ?? 0);
  const revoked = file.revoked ?? 0;
  const deprecated = file.deprecated ?? 0;
  const removed = await removedBy(trx, file.parse_job_id);
  return {
    fileId: file.id,
    originalFilename: file.name,
    objects: file.object_count,
    mapped: file.mapped ?? 0,
    unmapped: file.unmapped ?? 0,
    failed: file.failed ?? 0,
    superseded: file.superseded ?? 0,
    records: active + revoked + deprecated,
    active,
    revoked,
    deprecated,
    byType: (file.by_type ?? []) as ByType,
    warnings: file.warnings,
    extracted: { vulnerabilities: file.vulnerability_count, threats: file.threat_count },
    ...(removed && { removed }),
  };
}

export interface ImportObjectRow {
  id: string;
  ordinal: number;
  location: string;
  type: string;
  stix_id: string | null;
  outcome: Outcome;
  reason: string;
}

export const presentObject = (row: ImportObjectRow): ImportObject => ({
  ordinal: row.ordinal,
  location: row.location,
  type: row.type,
  stixId: row.stix_id,
  outcome: row.outcome,
  reason: row.reason,
});

/** One page of the objects that are not records. @throws Failure 404 */
export async function importObjects(
  trx: OrganizationTransaction,
  id: string,
  query: Call<typeof reports.importObjects>['query'],
) {
  const file = await findFile(trx, id);
  const input = { ...query, fileId: file.id };
  const { rows, ...page } = await showPage(trx, importObjectSource, { query: input, present: presentObject });
  return { items: rows, ...page };
}

/** Values and counts of each field of these objects. @throws Failure 404 */
export async function importFacets(
  trx: OrganizationTransaction,
  id: string,
  query: Call<typeof reports.importFacets>['query'],
): Promise<Facets> {
  const file = await findFile(trx, id);
  const input = { ...query, fileId: file.id };
  return facetsOf(trx, importObjectSource, input);
}
