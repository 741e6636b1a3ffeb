import { changedEvent, idsShown, type OrganizationEvent } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { ChangeCount } from '../changes.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { joiningRows } from '../query-plans.ts';
import { nameNewest, newestFileOf, reactivate } from './remaining-reports.ts';
import { takeReported } from './reported-values.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

export type RecordTableName = 'vulnerability' | 'threat';
export const recordTables: readonly RecordTableName[] = ['vulnerability', 'threat'];

/** Records that changed because a file no longer asserts them. */
export interface TableChanges {
  /** No other file asserts them, and no user created or edited them. */
  deleted: ChangeCount;
  /** They stay, with another source file or without one. */
  updated: ChangeCount;
}

export type RecordChanges = Record<RecordTableName, TableChanges>;

export const noRecordChanges = (): RecordChanges => ({
  vulnerability: { deleted: new ChangeCount(), updated: new ChangeCount() },
  threat: { deleted: new ChangeCount(), updated: new ChangeCount() },
});

/** The events of records that were deleted or updated with a report; none for a table that did not change. */
export const recordEvents = (records: RecordChanges, by: string | null): OrganizationEvent[] =>
  Object.entries(records).flatMap(([table, changes]) =>
    (['deleted', 'updated'] as const).flatMap((action) =>
      changes[action].count === 0
        ? []
        : [changedEvent(`${table as RecordTableName}.changed`, { action, by }, changes[action].rows)],
    ),
  );

/**
 * Removes everything that a file asserts: its report rows, and every vulnerability and threat that no other file
 * asserts, unless a user created or edited it. The other records have the values of the remaining files and name the newest.
 * @param changes what this changes is added to it
 */
export async function dropAssertions(
  trx: OrganizationTransaction,
  fileId: string,
  changes: RecordChanges = noRecordChanges(),
): Promise<RecordChanges> {
  await lockAssertions(trx);
  for (const table of recordTables) await dropRecords(trx, { table, fileId, changes: changes[table] });
  await trx.deleteFrom('report_object').where('file_id', '=', fileId).execute();
  await trx.deleteFrom('report_relation').where('file_id', '=', fileId).execute();
  return changes;
}

/**
 * Removes what a file that is replaced says about objects that were not extracted. What it asserts and withdraws stays until
 * its new content has been read.
 */
export async function dropUnextracted(trx: OrganizationTransaction, fileId: string): Promise<void> {
  await lockAssertions(trx);
  await trx
    .deleteFrom('report_record')
    .where('file_id', '=', fileId)
    .where('vulnerability_id', 'is', null)
    .where('threat_id', 'is', null)
    .where('state', '=', 'active')
    .execute();
  await trx.deleteFrom('report_object').where('file_id', '=', fileId).execute();
}

async function dropRecords(
  trx: OrganizationTransaction,
  { table, fileId, changes }: { table: RecordTableName; fileId: string; changes: TableChanges },
): Promise<void> {
  const link = sql.ref(`${table}_id`);
  const dropped = sql`
    delete from report_record
    where organization_id = current_organization() and file_id = ${fileId} and kind = ${table}
    returning ${link} as id`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from report_record
    where organization_id = current_organization() and file_id = ${fileId} and kind = ${table}`.execute(trx);
  await reactivate(trx, { table, fileId, updated: changes.updated });
  await deleteOrphans(trx, { table, dropped, count: rows[0]?.count ?? 0, changes, fileId });
  await nameNewest(
    trx,
    table,
    sql`record.source_file = (select name from report_file where organization_id = current_organization() and id = ${fileId})`,
  );
}

interface Unasserted {
  table: RecordTableName;
  /** Records that a file has just stopped asserting. */
  ids: readonly string[];
  changes: TableChanges;
}

/**
 * Deletes the records that are no longer asserted by a file and that no user created or edited; the others count as
 * updated, and have the values of the reports that still assert them.
 */
export async function dropOrphans(
  trx: OrganizationTransaction,
  { table, ids, changes }: Unasserted,
): Promise<void> {
  if (ids.length === 0) return;
  const dropped = sql`select unnest(${ids}::uuid[]) as id`;
  await deleteOrphans(trx, { table, dropped, count: ids.length, changes });
  await nameNewest(trx, table, sql`record.id = any (${ids}::uuid[])`);
}

/** No person has edited the record. */
const isUnedited: Record<RecordTableName, RawBuilder<unknown>> = {
  vulnerability: sql`record.edited_fields = '{}' and record.cwss_overrides = '{}'`,
  threat: sql`record.edited_fields = '{}'`,
};

/**
 * What else is deleted with the rows of the common table expression `deleted`, which are not moved to the trash. Unedited
 * vulnerabilities have no factors of an analyst.
 */
const deletedWith: Record<RecordTableName, RawBuilder<unknown>> = {
  vulnerability: sql`, scores as (
      delete from cwss_score s using deleted where s.organization_id = current_organization() and s.vulnerability_id = deleted.id
    )`,
  threat: sql``,
};

/**
 * The same for ids of a query, in one statement, which does not send them to the process and back.
 * @param dropped selects ids, or deletes rows of the report `fileId` and returns the records that they assert
 * @param count how many these are
 */
async function deleteOrphans(
  trx: OrganizationTransaction,
  {
    table,
    dropped,
    count,
    changes,
    fileId,
  }: Omit<Unasserted, 'ids'> & { dropped: RawBuilder<unknown>; count: number; fileId?: string },
): Promise<void> {
  // The statement still sees the rows of the report that it deletes.
  const without = fileId === undefined ? sql`` : sql`and r.file_id <> ${fileId}`;
  const statement = sql<{ deleted: number; deletedIds: string[]; kept: number; keptIds: string[] }>`
    with dropped as (${dropped}), deleted as (
      delete from ${sql.table(table)} record using dropped
      where record.organization_id = current_organization() and record.id = dropped.id
        and record.created_by is null and ${isUnedited[table]}
        and not exists (
          select from report_record r
          where r.organization_id = current_organization() and r.${sql.ref(`${table}_id`)} = dropped.id ${without}
        )
      returning record.id
    )${deletedWith[table]}, kept as (
      select id from dropped where id is not null except select id from deleted
    ), refreshed as (
      ${takeReported(table, { ids: sql`select id from kept`, withoutFile: fileId })}
    )
    select (select count(*)::int from deleted) as deleted, array(select id from deleted limit ${idsShown}) as "deletedIds",
      (select count(*)::int from kept) as kept, array(select id from kept limit ${idsShown}) as "keptIds"`;
  const { rows } = await joiningRows(trx, { tables: ['report_record', table], count }, () =>
    statement.execute(trx),
  );
  const [{ deleted, deletedIds, kept, keptIds } = { deleted: 0, deletedIds: [], kept: 0, keptIds: [] }] =
    rows;
  changes.deleted.add(deletedIds, deleted);
  changes.updated.add(keptIds, kept);
}

/**
 * Writes the name of a file that has just been uploaded again, under the spelling of now, into the records that it asserts and
 * that no newer file does. Records that keep their name are not written.
 * @param changes what this changes is added to it
 */
export async function nameUploaded(
  trx: OrganizationTransaction,
  fileId: string,
  changes: RecordChanges,
): Promise<void> {
  const { name, ...file } = await trx
    .selectFrom('report_file')
    .select(['name', 'vulnerability_count', 'threat_count'])
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
  for (const table of recordTables) {
    const count = file[`${table}_count`];
    if (count === 0) continue;
    await lockAssertions(trx);
    const link = sql.ref(`${table}_id`);
    const named = await joiningRows(trx, { tables: ['report_record', table], count }, () =>
      nameNewest(
        trx,
        table,
        sql`record.source_file <> ${name} and record.source_file <> ${newestFileOf(table)} and record.id in (
          select ${link} from report_record
          where organization_id = current_organization() and file_id = ${fileId} and kind = ${table} and ${link} is not null)`,
      ),
    );
    changes[table].updated.add([], named);
  }
}
