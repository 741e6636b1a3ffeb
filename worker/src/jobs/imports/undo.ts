import { changedEvent, importEntity, importTables } from '@riskboard/contract';
import { undoImport, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { recordEntries } from '../run/activity-entries.ts';
import type { JobHandler } from '../run/context.ts';
import { JobFailure } from '../run/failures.ts';
import { assetEvents } from '../records/deletions.ts';
import { lockOwnImport } from './own-import.ts';

/** Undoes an import, all of it in one transaction. */
export const csvUndo: JobHandler<'csv.undo'> = (context) =>
  withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const { signal, progress, job } = context;
    const {
      id,
      noun,
      file_name: name,
      imported_at: importedAt,
      counts,
      ...found
    } = await lockOwnImport(trx, context);
    if (!importedAt || found.undone_at)
      throw new JobFailure('not_imported', 'This file is not imported, so there is nothing to undo.');
    const total = counts?.created ?? 0;
    progress({ phase: 'deleting', done: 0, total });
    const undone = await undoImport(trx, {
      noun,
      importId: id,
      by: job.created_by,
      onDeleted(done) {
        signal.throwIfAborted();
        progress({ phase: 'deleting', done, total });
      },
      onRestoring() {
        signal.throwIfAborted();
        progress({ phase: 'restoring', done: 0, total: 0 });
      },
    });
    signal.throwIfAborted();
    if (undone.isInTrash)
      throw new JobFailure(
        'in_trash',
        `Nothing can be undone while ${importEntity(noun).many} of this import are in the trash. Restore them, then undo the import.`,
      );
    const now = sql<Date>`now()`;
    await trx
      .updateTable('csv_import')
      .set({ undo_counts: JSON.stringify(undone.counts), undone_at: now, changed_at: now })
      .where('id', '=', id)
      .execute();
    const { records: _records, ...detail } = undone.counts;
    const table = importTables[noun];
    await recordEntries(trx, context, {
      action: `${table}.import-undone`,
      entries: [{ nounId: null, name, detail }],
    });
    await context.finish(trx, undone.counts);
    const by = job.created_by;
    const { deleted, restored, relatedAssets } = undone;
    return [
      ...(deleted.count > 0
        ? [changedEvent(`${table}.changed`, { action: 'deleted', by }, deleted.rows)]
        : []),
      ...(restored.count > 0
        ? [changedEvent(`${table}.changed`, { action: 'updated', by }, restored.rows)]
        : []),
      ...assetEvents(relatedAssets, by),
    ];
  });
