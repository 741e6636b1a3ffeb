import { sql } from 'kysely';
import type { OrganizationTransaction } from './with-organization.ts';

export type RecordTableName = 'vulnerability' | 'threat';
const recordTables: readonly RecordTableName[] = ['vulnerability', 'threat'];

/** How many records went because no file asserts them any more. */
export type DroppedRecords = Record<RecordTableName, number>;

/**
 * Held until the end of the transaction by whoever changes which files assert a record: in one organisation they take
 * turns. Without it two deletions of the last two files that assert a record would each see the other's assertion and
 * both leave the record behind, a deletion would drop what an extraction has just asserted, and two extractions of
 * the same records would wait for each other in a circle. Taken after the file's own lock, never before.
 */
export async function lockAssertions(trx: OrganizationTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('assertions ' || current_organization()::text, 0))`.execute(
    trx,
  );
}

/**
 * Takes back what a file asserts: its report rows go, and with them every vulnerability and threat that no other
 * file asserts, unless a person made or edited it. What stays names its newest remaining file.
 */
export async function dropAssertions(trx: OrganizationTransaction, fileId: string): Promise<DroppedRecords> {
  const dropped: DroppedRecords = { vulnerability: 0, threat: 0 };
  await lockAssertions(trx);
  for (const table of recordTables) dropped[table] = await dropRecords(trx, table, fileId);
  await trx.deleteFrom('report_object').where('file_id', '=', fileId).execute();
  await trx.deleteFrom('report_relation').where('file_id', '=', fileId).execute();
  return dropped;
}

async function dropRecords(
  trx: OrganizationTransaction,
  table: RecordTableName,
  fileId: string,
): Promise<number> {
  const link = sql.ref(`${table}_id`);
  const { rows } = await sql<{ id: string }>`
    delete from report_record
    where organization_id = current_organization() and file_id = ${fileId} and kind = ${table}
    returning ${link} as id`.execute(trx);
  const dropped = await dropOrphans(
    trx,
    table,
    rows.flatMap((row) => row.id ?? []),
  );
  await sql`
    update ${sql.table(table)} record
    set source_file = coalesce((
      select newest.name from report_record other
      cross join lateral (
        select name, uploaded_at from report_file
        where organization_id = current_organization() and id = other.file_id offset 0
      ) newest
      where other.organization_id = current_organization() and other.${link} = record.id
      order by newest.uploaded_at desc limit 1
    ), '')
    where record.organization_id = current_organization() and record.source_file = (
      select name from report_file where organization_id = current_organization() and id = ${fileId})`.execute(
    trx,
  );
  return dropped;
}

/** Deletes those of these records that no file asserts any more and no person made or edited; says how many. */
export async function dropOrphans(
  trx: OrganizationTransaction,
  table: RecordTableName,
  ids: string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} record using unnest(${ids}::uuid[]) gone (id)
    where record.organization_id = current_organization() and record.id = gone.id
      and record.created_by is null and record.edited_fields = '{}'
      and not exists (
        select from report_record r
        where r.organization_id = current_organization() and r.${sql.ref(`${table}_id`)} = gone.id
      )`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Follows a file's new spelling in the records that name it. */
export async function renameSource(trx: OrganizationTransaction, from: string, to: string): Promise<void> {
  await lockAssertions(trx);
  for (const table of recordTables) {
    await trx.updateTable(table).set({ source_file: to }).where('source_file', '=', from).execute();
  }
}
