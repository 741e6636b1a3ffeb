import type { ImportNoun, UndoCounts } from '@riskboard/contract';
import { sql } from 'kysely';
import { ChangeCount } from '../changes.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { setScoreContext } from '../records/score-context.ts';
import { deleteAssetsInBatches } from '../trash/delete-assets.ts';
import { deleteRecordsInBatches } from '../trash/delete-records.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { keepRows, rowsWith } from './report-rows.ts';
import { restoreUpdated } from './restore-updated.ts';
import { tableOf } from './write-columns.ts';

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
}

/** Moves the records that the import created and that no user changed since to the trash. */
async function deleteCreated(
  trx: OrganizationTransaction,
  undo: Undo,
): Promise<{ deleted: ChangeCount; relatedAssets: string[] }> {
  const { noun, importId, by, onDeleted } = undo;
  const table = tableOf(undo);
  const deleted = new ChangeCount();
  const where = sql<boolean>`r.version = 1 and r.id in (select w.record_id from ${rowsWith(importId, 'created')})`;
  const count = (rows: readonly { id: string }[]) => {
    deleted.add(rows.map(({ id }) => id));
    onDeleted(deleted.count);
  };
  await sql`
    create temporary table lasting on commit drop as
    select w.line, r.id is null as is_deleted
    from csv_import_row w left join ${sql.table(table)} r on r.organization_id = w.organization_id and r.id = w.record_id
    where w.organization_id = current_organization() and w.import_id = ${importId} and w.action = 'created'
      and (r.id is null or r.version > 1)`.execute(trx);
  let relatedAssets: string[] = [];
  if (noun === 'assets') await deleteAssetsInBatches(trx, { where, by }, count);
  else relatedAssets = await deleteRecordsInBatches(trx, { table: 'vulnerability', where, by }, count);
  await keepRows(
    trx,
    importId,
    sql`select line, case when is_deleted then 'Deleted since the import.' else 'Kept, because it was changed since the import.' end as problem
    from lasting`,
  );
  return { deleted, relatedAssets };
}

/**
 * Undoes an import: what it created goes to the trash, what it updated gets its former values. A record that someone
 * changed or deleted since is kept, its row in the report says so.
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
  };
}
