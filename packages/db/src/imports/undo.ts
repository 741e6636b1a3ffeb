import type { ImportNoun, UndoCounts } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { ChangeCount } from '../changes.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { manyRecordsLock } from '../locks/row-lock.ts';
import { setScoreContext } from '../records/score-context.ts';
import { deleteAssetsInBatches } from '../trash/delete-assets.ts';
import { deleteRecordsInBatches } from '../trash/delete-records.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { existingAssets, relatedNow } from './relations.ts';
import { keepRows, rowsWith } from './report-rows.ts';
import { restoreUpdated } from './restore-updated.ts';
import { digestOf, tableOf } from './write-columns.ts';

interface Undo {
  noun: ImportNoun;
  importId: string;
  by: string | null;
  onRestoring: () => void;
  /** Called with the number of deleted records so far; throwing aborts. */
  onDeleted: (done: number) => void;
}

export interface Undone {
  counts: UndoCounts;
  deleted: ChangeCount;
  restored: ChangeCount;
  /** Ids of the assets whose related vulnerabilities changed. */
  relatedAssets: string[];
  /** Whether nothing was undone and a record of the import is in the trash: it can be undone after a restoration. */
  isInTrash: boolean;
}

/**
 * Relations that the import gave to assets, in the table `written`. An import of an earlier version has no relations in
 * its rows of created assets: those that they have now count.
 */
async function selectWritten(trx: OrganizationTransaction, importId: string): Promise<void> {
  await sql`
    create temporary table written on commit drop as
    select w.record_id as asset_id, related.id as related_id
    from csv_import_row w cross join lateral unnest(w.written_related) related (id)
    where w.organization_id = current_organization() and w.import_id = ${importId}
    union
    select l.asset_id, l.related_id from csv_import_row w
    join asset_relation l on l.organization_id = w.organization_id and l.asset_id = w.record_id
    where w.organization_id = current_organization() and w.import_id = ${importId} and w.action = 'created'
      and w.written_related is null`.execute(trx);
  await sql`create index on written (related_id, asset_id)`.execute(trx);
  await sql`analyze written`.execute(trx);
}

/** Whether the asset `r` has relations that the import did not write; they belong to the other record. */
const isRelatedSince = sql<boolean>`(
  exists (select from vulnerability_asset l where l.organization_id = r.organization_id and l.asset_id = r.id)
  or exists (select from threat_asset l where l.organization_id = r.organization_id and l.asset_id = r.id)
  or exists (
    select from asset_relation l where l.organization_id = r.organization_id and l.related_id = r.id
      and not exists (select from written where written.related_id = r.id and written.asset_id = l.asset_id)))`;

/** What users do to the record `r` without changing its row, and why it is kept. Calculated scores keep none. */
const keptFor = {
  assets: sql`when ${isRelatedSince} then 'Kept, because it was related to other records since the import.'`,
  vulnerabilities: sql`
    when r.cwss_overrides <> '{}' then 'Kept, because its CWSS factors were changed since the import.'`,
} as const satisfies Record<ImportNoun, RawBuilder<unknown>>;

/**
 * Whether the record `r` is not as the import created it: changes that were taken back, such as by the undo of a later
 * import, do not count. The version also changes when a related asset is restored. An import of an earlier version has
 * no digests: any change counts.
 */
const isChangedSince = ({ noun }: Undo): RawBuilder<boolean> => sql<boolean>`(
  r.updated_at <> r.created_at and (
    w.written ->> 'digest' is distinct from ${digestOf(noun, 'r')}
    or ${relatedNow({ noun })} <> ${existingAssets(sql`w.written_related`)}))`;

/** The table `created`: the created records, and why those stay that users changed or deleted since. */
async function planDeleting(trx: OrganizationTransaction, undo: Undo): Promise<void> {
  const { noun, importId } = undo;
  if (noun === 'assets') await selectWritten(trx, importId);
  else {
    // Changes of assets wait for the lock of the assets, those of vulnerabilities for these.
    await lockAssertions(trx);
    await sql`
      select from vulnerability r
      where r.organization_id = current_organization()
        and r.id in (select w.record_id from ${rowsWith(importId, 'created')})
      ${manyRecordsLock(trx, 'update')}`.execute(trx);
  }
  await sql`
    create temporary table created on commit drop as
    select w.line, w.record_id, case
      when r.id is null then 'Deleted since the import.'
      when ${isChangedSince(undo)} then 'Kept, because it was changed since the import.'
      ${keptFor[noun]} end as problem
    from csv_import_row w
    left join ${sql.table(tableOf(undo))} r on r.organization_id = w.organization_id and r.id = w.record_id
    where w.organization_id = current_organization() and w.import_id = ${importId} and w.action = 'created'`.execute(
    trx,
  );
  await sql`create unique index on created (line)`.execute(trx);
  await sql`create index on created (record_id)`.execute(trx);
  await sql`analyze created`.execute(trx);
}

/** Moves the records that the import created and that no user changed since to the trash. */
async function deleteCreated(
  trx: OrganizationTransaction,
  undo: Undo,
): Promise<{ deleted: ChangeCount; relatedAssets: string[] }> {
  const { noun, importId, by, onDeleted } = undo;
  await planDeleting(trx, undo);
  const where = sql<boolean>`r.id in (select record_id from created where problem is null)`;
  const deleted = new ChangeCount();
  const count = (rows: readonly { id: string }[]) => {
    deleted.add(rows.map(({ id }) => id));
    onDeleted(deleted.count);
  };
  let relatedAssets: string[] = [];
  if (noun === 'assets') await deleteAssetsInBatches(trx, { where, by }, count);
  else relatedAssets = await deleteRecordsInBatches(trx, { table: 'vulnerability', where, by }, count);
  await keepRows(trx, importId, sql`select line, problem from created where problem is not null`);
  return { deleted, relatedAssets };
}

async function isAnyInTrash(trx: OrganizationTransaction, undo: Undo): Promise<boolean> {
  const { rows } = await sql`
    select from csv_import_row w
    join deleted_record d on d.organization_id = w.organization_id and d.noun = ${tableOf(undo)} and d.id = w.record_id
    where w.organization_id = current_organization() and w.import_id = ${undo.importId} and w.action = 'kept'
    limit 1`.execute(trx);
  return rows.length > 0;
}

/**
 * Undoes an import: what it created goes to the trash, what it updated gets its former values. A record that someone
 * changed, related or deleted since is kept, its row in the report says so.
 */
export async function undoImport(trx: OrganizationTransaction, undo: Undo): Promise<Undone> {
  await lockAssets(trx);
  await setScoreContext(trx, { by: undo.by });
  const { deleted, relatedAssets } = await deleteCreated(trx, undo);
  undo.onRestoring();
  const { restored, relatedAssets: ends } = await restoreUpdated(trx, undo);
  const { rows } = await sql<{ restored: number; kept: number }>`
    select count(*) filter (where action = 'updated')::int as restored, count(*) filter (where action = 'kept')::int as kept
    from csv_import_row where organization_id = current_organization() and import_id = ${undo.importId}`.execute(
    trx,
  );
  const { restored: whole, kept } = rows[0] ?? { restored: 0, kept: 0 };
  const records = deleted.count + whole + kept;
  return {
    counts: { records, deleted: deleted.count, restored: whole, kept },
    deleted,
    restored,
    relatedAssets: [...new Set([...relatedAssets, ...ends])],
    isInTrash: deleted.count + restored.count === 0 && (await isAnyInTrash(trx, undo)),
  };
}
