import { changedEvent, idsShown, type OrganizationEvent } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { ChangeCount } from '../changes.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { joiningRows } from '../query-plans.ts';
import { byPrecedence } from './precedence.ts';
import { reportColumns } from './report-columns.ts';
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
 * Removes what a file that is replaced says about objects that were not extracted. The records that it asserts stay until
 * its new content has been read.
 */
export async function dropUnextracted(
  trx: OrganizationTransaction,
  fileId: string,
  changes: RecordChanges,
): Promise<void> {
  await lockAssertions(trx);
  for (const table of recordTables) await reactivate(trx, { table, fileId, changes: changes[table] });
  await trx
    .deleteFrom('report_record')
    .where('file_id', '=', fileId)
    .where('vulnerability_id', 'is', null)
    .where('threat_id', 'is', null)
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
  const { rows } = await sql<{ count: number; withdrawing: number }>`
    select count(*)::int as count, count(*) filter (where state <> 'active')::int as withdrawing from report_record
    where organization_id = current_organization() and file_id = ${fileId} and kind = ${table}`.execute(trx);
  const { count, withdrawing } = rows[0] ?? { count: 0, withdrawing: 0 };
  if (withdrawing > 0) await reactivate(trx, { table, fileId, changes });
  await deleteOrphans(trx, { table, dropped, count, changes, fileId });
  await nameNewest(
    trx,
    table,
    sql`record.source_file = (select name from report_file where organization_id = current_organization() and id = ${fileId})`,
  );
}

/** Writes the newest file that asserts them into records. */
async function nameNewest(
  trx: OrganizationTransaction,
  table: RecordTableName,
  chosen: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update ${sql.table(table)} record
    set source_file = coalesce((
      select newest.name from report_record other
      cross join lateral (
        select name, uploaded_at from report_file
        where organization_id = current_organization() and id = other.file_id offset 0
      ) newest
      where other.organization_id = current_organization() and other.${sql.ref(`${table}_id`)} = record.id
      order by newest.uploaded_at desc limit 1
    ), '')
    where record.organization_id = current_organization() and ${chosen}`.execute(trx);
}

/** Records that the file has withdrawn are active again, unless another report withdraws them too. */
async function reactivate(
  trx: OrganizationTransaction,
  { table, fileId, changes }: { table: RecordTableName; fileId: string; changes: TableChanges },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} target
    set withdrawn = null, updated_at = now(), updated_by = null, version = target.version + 1, source_modified = (
      select max(r.modified) from report_record r
      where r.organization_id = current_organization() and r.${sql.ref(`${table}_id`)} = target.id and r.state = 'active')
    from report_record own
    where own.organization_id = current_organization() and own.file_id = ${fileId} and own.kind = ${table} and own.state <> 'active'
      and target.organization_id = current_organization() and target.key = own.key and target.withdrawn is not null
      and not exists (
        select from report_record other
        where other.organization_id = current_organization() and other.kind = ${table} and other.key = own.key
          and other.state <> 'active' and other.file_id <> ${fileId})
    returning target.id`.execute(trx);
  changes.updated.add(
    rows.slice(0, idsShown).map(({ id }) => id),
    rows.length,
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
 * Updates records whose values differ from those of the report that takes precedence among those that assert them: a report
 * that was dropped must not leave its values. Fields that a person edited are kept.
 * @param ids selects the records
 * @param without leaves out rows `r` of reports
 */
function takeRemaining(
  table: RecordTableName,
  { ids, without = sql`` }: { ids: RawBuilder<unknown>; without?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const link = sql.ref(`${table}_id`);
  const columns = Object.entries(reportColumns[table]);
  const names = columns.map(([column]) => column);
  const kept = (column: string) =>
    sql`case when ${sql.lit(column)} = any (target.edited_fields) then target.${sql.ref(column)} else newest.${sql.ref(column)} end`;
  return sql`
    update ${sql.table(table)} target
    set ${sql.join(names.map((column) => sql`${sql.ref(column)} = ${kept(column)}`))},
      source_modified = newest.modified, updated_at = now(), updated_by = null, version = target.version + 1
    from (
      select r.${link} as id, r.modified, ${sql.join(columns.map(([column, expression]) => sql`${sql.raw(expression)} as ${sql.ref(column)}`))}
      from (
        select distinct on (r.${link}) r.* from (${ids}) chosen
        join report_record r on r.organization_id = current_organization() and r.${link} = chosen.id and r.state = 'active' ${without}
        order by r.${link}, ${byPrecedence}
      ) r
    ) newest
    where target.organization_id = current_organization() and target.id = newest.id
      and (${sql.join(names.map(kept))}, newest.modified)
        is distinct from (${sql.join(names.map((column) => sql`target.${sql.ref(column)}`))}, target.source_modified)`;
}

/**
 * A report has been read again: records that other reports assert too take the values of those. The next extraction compares
 * the new reading with them.
 * @param count rows of the report
 * @returns how many records changed
 */
export async function takeOthers(
  trx: OrganizationTransaction,
  { table, fileId, count }: { table: RecordTableName; fileId: string; count: number },
): Promise<number> {
  const link = sql.ref(`${table}_id`);
  const shared = sql`
    select own.${link} as id from report_record own
    where own.organization_id = current_organization() and own.file_id = ${fileId} and own.kind = ${table} and own.${link} is not null`;
  const { numAffectedRows } = await joiningRows(trx, { tables: ['report_record', table], count }, () =>
    takeRemaining(table, { ids: shared, without: sql`and r.file_id <> ${fileId}` }).execute(trx),
  );
  return Number(numAffectedRows ?? 0);
}

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
    ), kept as (
      select id from dropped where id is not null except select id from deleted
    ), refreshed as (
      ${takeRemaining(table, { ids: sql`select id from kept`, without })}
    ), unsourced as (
      update ${sql.table(table)} record set source_modified = null from kept
      where record.organization_id = current_organization() and record.id = kept.id and record.source_modified is not null
        and not exists (
          select from report_record r
          where r.organization_id = current_organization() and r.${sql.ref(`${table}_id`)} = kept.id ${without})
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

/** Writes a file's new spelling into the records that name it. @returns how many records, by table */
export async function renameSource(
  trx: OrganizationTransaction,
  from: string,
  to: string,
): Promise<Record<RecordTableName, number>> {
  await lockAssertions(trx);
  const renamed = { vulnerability: 0, threat: 0 };
  for (const table of recordTables) {
    const { numUpdatedRows } = await trx
      .updateTable(table)
      .set({ source_file: to })
      .where('source_file', '=', from)
      .executeTakeFirst();
    renamed[table] = Number(numUpdatedRows);
  }
  return renamed;
}
