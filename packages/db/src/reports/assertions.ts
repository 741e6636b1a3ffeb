import { changedEvent, idsShown, type OrganizationEvent } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../any-of.ts';
import { ChangeCount } from '../changes.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { joiningRows } from '../query-plans.ts';
import { nameNewest, newestFileOf, reactivate } from './remaining-reports.ts';
import { objectsOfRows, recordsSharingObjects } from './object-versions.ts';
import { countsUnless, refreshRecords, takeReported } from './reported-values.ts';
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

export interface DroppedAssertions {
  records: RecordChanges;
  /** How many records were deleted with each file. One that several of the files asserted is counted for the last of them. */
  deletedWith: Record<RecordTableName, Map<string, number>>;
}

interface Drop {
  /** Called after each batch with the part of the rows that is removed, up to 1; throwing aborts. */
  onBatch?: ((part: number) => void) | undefined;
  /** Rows of a batch, about. */
  batchSize?: number | undefined;
}

/**
 * Removes everything that files assert: their report rows, and every vulnerability and threat that no other file
 * asserts, unless a user created or edited it. The other records have the values of the remaining files and name the newest.
 * The files are one set: a record that many of them assert is read once, in batches of keys that limit the memory of a statement.
 */
export async function dropAssertions(
  trx: OrganizationTransaction,
  fileIds: readonly string[],
  { onBatch = () => undefined, batchSize = 50_000 }: Drop = {},
): Promise<DroppedAssertions> {
  await lockAssertions(trx);
  const dropped: DroppedAssertions = {
    records: noRecordChanges(),
    deletedWith: { vulnerability: new Map(), threat: new Map() },
  };
  const { rows: counted } = await sql<{ kind: string; count: number }>`
    select kind, count(*)::int as count from report_record
    where organization_id = current_organization() and file_id = ${anyOf(fileIds)} group by kind`.execute(
    trx,
  );
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  for (const table of recordTables) {
    const count = counted.find(({ kind }) => kind === table)?.count ?? 0;
    for (const { keys, size } of await planBatches(trx, { table, fileIds, count, batchSize })) {
      const rows = sql`kind = ${table} and file_id = ${anyOf(fileIds)} ${keys}`;
      await dropRecords(trx, { table, fileIds, rows, count, dropped });
      done += size;
      onBatch(done / total);
    }
    const names = sql`select name from report_file where organization_id = current_organization() and id = ${anyOf(fileIds)}`;
    await nameNewest(trx, table, sql`record.source_file = any (array(${names}))`);
  }
  await trx.deleteFrom('report_object').where('file_id', '=', anyOf(fileIds)).execute();
  await trx.deleteFrom('report_object_group').where('file_id', '=', anyOf(fileIds)).execute();
  await trx.deleteFrom('report_relation').where('file_id', '=', anyOf(fileIds)).execute();
  return dropped;
}

interface Planned {
  table: RecordTableName;
  fileIds: readonly string[];
  /** Number of rows of the files. */
  count: number;
  batchSize: number;
}

/** The rows of files in batches by key: all rows of a key are in one batch, so that a record of many files is read once. */
async function planBatches(
  trx: OrganizationTransaction,
  { table, fileIds, count, batchSize }: Planned,
): Promise<{ keys: RawBuilder<unknown>; size: number }[]> {
  if (count === 0) return [];
  if (count <= batchSize) return [{ keys: sql``, size: count }];
  const { rows } = await sql<{ upTo: string; size: number }>`
    select max(key) as "upTo", count(*)::int as size from (
      select key, (rank() over (order by key) - 1) / ${batchSize}::int as batch from report_record
      where organization_id = current_organization() and kind = ${table} and file_id = ${anyOf(fileIds)}
    ) r group by batch order by batch`.execute(trx);
  return rows.map(({ upTo, size }, n) => ({
    // Without the rows of earlier batches, whose index entries remain until the transaction ends.
    keys: n === 0 ? sql`and key <= ${upTo}` : sql`and key > ${rows[n - 1]?.upTo} and key <= ${upTo}`,
    size,
  }));
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
  await trx.deleteFrom('report_object_group').where('file_id', '=', fileId).execute();
}

interface DroppedRows extends Omit<Planned, 'batchSize'> {
  /** Condition on the rows of the files that are dropped. */
  rows: RawBuilder<unknown>;
  dropped: DroppedAssertions;
}

async function dropRecords(
  trx: OrganizationTransaction,
  { table, fileIds, rows, count, dropped: { records, deletedWith } }: DroppedRows,
): Promise<void> {
  const changes = records[table];
  await reactivate(trx, { table, rows, withoutFiles: fileIds, updated: changes.updated });
  const objects = objectsOfRows(table, rows);
  const { others } = await recordsSharingObjects(trx, { table, objects, count, files: fileIds });
  changes.updated.add(await refreshRecords(trx, { table, ids: others, withoutFiles: fileIds }));
  const dropped = sql`
    delete from report_record where organization_id = current_organization() and ${rows}
    returning ${sql.ref(`${table}_id`)} as id, file_id`;
  const deleted = await deleteOrphans(trx, { table, dropped, count, changes, withoutFiles: fileIds });
  for (const [fileId, number] of Object.entries(deleted))
    deletedWith[table].set(fileId, (deletedWith[table].get(fileId) ?? 0) + number);
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
  const dropped = sql`select unnest(${ids}::uuid[]) as id, null::uuid as file_id`;
  await deleteOrphans(trx, { table, dropped, count: ids.length, changes });
  await nameNewest(trx, table, sql`record.id = any (${ids}::uuid[])`);
}

/** No person has edited the record. */
const isUnedited: Record<RecordTableName, RawBuilder<unknown>> = {
  vulnerability: sql`record.edited_fields = '{}' and record.cwss_overrides = '{}'`,
  threat: sql`record.edited_fields = '{}'`,
};

interface Orphans extends Omit<Unasserted, 'ids'> {
  /** Selects `id` and `file_id`, or deletes rows of the reports `withoutFiles` and returns the records that they assert. */
  dropped: RawBuilder<unknown>;
  /** How many these are, at least. */
  count: number;
  withoutFiles?: readonly string[];
}

/**
 * What else is deleted with the rows of the common table expression `deleted`, which are not moved to the trash. Unedited
 * vulnerabilities have no factors of an analyst.
 */
const scoresOf: Record<RecordTableName, RawBuilder<unknown>> = {
  vulnerability: sql`, scores as (
      delete from cwss_score s using deleted where s.organization_id = current_organization() and s.vulnerability_id = deleted.id
    )`,
  threat: sql``,
};

/**
 * The same for ids of a query, in one statement, which does not send them to the process and back. An id may be there for
 * several files.
 * @returns how many records were deleted, by the last file that had asserted them
 */
async function deleteOrphans(
  trx: OrganizationTransaction,
  { table, dropped, count, changes, withoutFiles }: Orphans,
): Promise<Record<string, number>> {
  const remains = countsUnless(withoutFiles);
  const statement = sql<{
    deleted: number;
    deletedIds: string[];
    deletedWith: Record<string, number>;
    kept: number;
    keptIds: string[];
  }>`
    with dropped as (${dropped}), unasserted as (
      select distinct on (id) id, file_id from dropped where id is not null order by id, file_id desc
    ), deleted as (
      delete from ${sql.table(table)} record using unasserted
      where record.organization_id = current_organization() and record.id = unasserted.id
        and record.created_by is null and ${isUnedited[table]}
        and not exists (
          select from report_record r
          where r.organization_id = current_organization() and r.${sql.ref(`${table}_id`)} = unasserted.id ${remains('r')}
        )
      returning record.id, unasserted.file_id
    )${scoresOf[table]}, kept as (
      select id from unasserted except select id from deleted
    ), refreshed as (
      ${takeReported(table, { ids: sql`select id from kept`, withoutFiles })}
    )
    select (select count(*)::int from deleted) as deleted, array(select id from deleted limit ${idsShown}) as "deletedIds",
      (select coalesce(jsonb_object_agg(file_id, number), '{}') from (
        select file_id, count(*) as number from deleted where file_id is not null group by file_id
      ) with_file) as "deletedWith",
      (select count(*)::int from kept) as kept, array(select id from kept limit ${idsShown}) as "keptIds"`;
  const { rows } = await joiningRows(trx, { tables: ['report_record', table], count }, () =>
    statement.execute(trx),
  );
  const [row] = rows;
  if (row === undefined) return {};
  changes.deleted.add(row.deletedIds, row.deleted);
  changes.updated.add(row.keptIds, row.kept);
  return row.deletedWith;
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
