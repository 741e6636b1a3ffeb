import type { Call, ImportObject, ImportReport, Outcome, reports } from '@riskboard/contract';
import type { OrganizationTransaction, ReportFileTable } from '@riskboard/db';
import { type Selectable, sql } from 'kysely';
import { Failure } from '../lib/failure.ts';
import { limits, many, sorting } from '../lib/page.ts';

type ByType = ImportReport['byType'];

/** A file that this organisation has. @throws Failure 404 otherwise, another organisation's included. */
export async function findFile(
  trx: OrganizationTransaction,
  id: string,
): Promise<Selectable<ReportFileTable>> {
  const file = await trx.selectFrom('report_file').selectAll().where('id', '=', id).executeTakeFirst();
  if (!file) throw new Failure('not_found');
  return file;
}

/** @throws Failure 409 while the report has not been read, or could not be. */
export async function importReport(trx: OrganizationTransaction, id: string): Promise<ImportReport> {
  const file = await findFile(trx, id);
  if (file.object_count === null) throw new Failure('conflict', 'The report has not been read yet.');
  const active = (file.vulnerability_records ?? 0) + (file.threat_records ?? 0);
  const revoked = file.revoked ?? 0;
  const deprecated = file.deprecated ?? 0;
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
  };
}

/** Everything of a file that is no record of the product: objects not taken, and records that the report withdrew. */
const notTaken = (fileId: string, outcomes: Outcome[]) => sql`(
  select * from (
    select ordinal, place, type, stix_id, outcome, reason from report_object
    where organization_id = current_organization() and file_id = ${fileId}
    union all
    select ordinal, place, type, stix_id, state, 'The report marks it as ' || state from report_record
    where organization_id = current_organization() and file_id = ${fileId} and state <> 'active'
  ) every
  where ${outcomes.length === 0} or outcome = any(${outcomes}::text[])
)`;

interface ObjectRow {
  ordinal: number;
  place: string;
  type: string;
  stix_id: string | null;
  outcome: Outcome;
  reason: string;
}

const present = (row: ObjectRow): ImportObject => ({
  ordinal: row.ordinal,
  place: row.place,
  type: row.type,
  stixId: row.stix_id,
  outcome: row.outcome,
  reason: row.reason,
});

export async function importObjects(
  trx: OrganizationTransaction,
  id: string,
  query: Call<typeof reports.importObjects>['query'],
) {
  await findFile(trx, id);
  const source = notTaken(id, many(query.outcome));
  const { column, direction } = sorting(query, { ordinal: 'ordinal', type: 'type', outcome: 'outcome' });
  const { limit, offset } = limits(query);
  const { rows } = await sql<ObjectRow>`
    select * from ${source} o
    order by ${sql.ref(column)} ${sql.raw(direction)}, ordinal, place
    limit ${limit} offset ${offset}`.execute(trx);
  const count = await sql<{ total: number }>`select count(*)::int as total from ${source} o`.execute(trx);
  return {
    items: rows.map(present),
    total: count.rows[0]?.total ?? 0,
    page: query.page,
    pageSize: query.pageSize,
  };
}

/** The whole list in the order of the file, a thousand at a time. */
export async function importObjectsAfter(
  trx: OrganizationTransaction,
  which: { fileId: string; outcomes: Outcome[]; after: { ordinal: number; place: string } },
): Promise<ImportObject[]> {
  const { rows } = await sql<ObjectRow>`
    select * from ${notTaken(which.fileId, which.outcomes)} o
    where (ordinal, place) > (${which.after.ordinal}, ${which.after.place})
    order by ordinal, place limit 1000`.execute(trx);
  return rows.map(present);
}
