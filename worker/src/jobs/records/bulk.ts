import { changedEvent, type JobPayload, type PhaseOf, type RecordsResult } from '@riskboard/contract';
import {
  type BulkUpdate,
  ChangeCount,
  count,
  deletionTime,
  lockAssets,
  type OnBatch,
  type OrganizationTransaction,
  presentJob,
  type RecordTableName,
  selected,
  updateAssets,
  type UpdatedMany,
  updateRecords,
  withOrganization,
} from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import type { JobContext, JobHandler } from '../run/context.ts';
import { JobFailure } from '../run/failures.ts';
import { publishCancellations } from '../run/publish.ts';
import { countEntry, recordEntries } from '../run/activity-entries.ts';
import { assetEvents, deletableLists } from './deletions.ts';
import { existedAtRequest } from './existed-at-request.ts';

interface UpdatableList {
  table: 'vulnerability' | 'threat' | 'asset';
  update(trx: OrganizationTransaction, update: BulkUpdate, onBatch: OnBatch): Promise<UpdatedMany>;
}

const records = (table: RecordTableName): UpdatableList => ({
  table,
  update: (trx, update, onBatch) => updateRecords(trx, { ...update, table }, onBatch),
});

/** How the rows of each list are changed. */
const updatableLists: Readonly<Record<JobPayload<'records.update'>['noun'], UpdatableList>> = {
  vulnerabilities: records('vulnerability'),
  threats: records('threat'),
  assets: {
    table: 'asset',
    async update(trx, update, onBatch) {
      await requireProject(trx, update.change.columns['project_id']);
      return updateAssets(trx, update, onBatch);
    },
  },
};

/** The project may have been deleted since the request. @throws JobFailure */
async function requireProject(trx: OrganizationTransaction, id: unknown): Promise<void> {
  if (typeof id !== 'string') return;
  const known = await trx.selectFrom('project').select('id').where('id', '=', id).executeTakeFirst();
  if (!known)
    throw new JobFailure('project_deleted', 'The project was deleted before the assets were moved to it.');
}

/** Deletes the selected rows, all of them in one transaction or none; all but reports can be restored. */
export const recordsDelete: JobHandler<'records.delete'> = async (context) => {
  const { deps, organizationId, payload, job, signal } = context;
  const { noun } = payload;
  const list = deletableLists[noun];
  const deleted = await withOrganization(deps.database, organizationId, async (trx) => {
    const { where, progress, skipped } = await select(trx, context, `deleting ${noun}`);
    const done = await list.delete(trx, {
      where,
      by: job.created_by,
      onProgress(rows) {
        signal.throwIfAborted();
        progress(rows);
      },
      ownJob: { id: job.id, beforeLock: context.stopProgress },
    });
    signal.throwIfAborted();
    const entries = { action: list.action, entries: done.entries };
    await recordEntries(trx, context, entries);
    await context.finish(trx, {
      matched: done.count,
      changed: done.count,
      unchanged: 0,
      skipped: await skipped(),
      ...(noun !== 'reports' && { restorable: noun, deletedAt: await deletionTime(trx) }),
    });
    return done;
  });
  await publishCancellations(deps, deleted.cancelled);
  return [
    ...deleted.events,
    ...deleted.cancelled.map((row) => ({ type: 'job.updated' as const, job: presentJob(row) })),
  ];
};

/** Sets the same values on the selected records, all of them in one transaction or none. */
export const recordsUpdate: JobHandler<'records.update'> = (context) =>
  withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const { payload, job, signal } = context;
    const { noun } = payload;
    const { table, update } = updatableLists[noun];
    // The assets are locked before they are counted and selected, so that both see the same.
    if (table === 'asset') await lockAssets(trx);
    const { where, progress, skipped } = await select(trx, context, `changing ${noun}`);
    const updated = new ChangeCount();
    const by = job.created_by;
    const edit = { where, change: payload.change, by };
    const {
      matched,
      changed,
      changes,
      assets,
      records = [],
    } = await update(trx, edit, (ids, done) => {
      signal.throwIfAborted();
      updated.add(ids);
      progress(done);
    });
    signal.throwIfAborted();
    const entries = countEntry(changed, [table, noun], { changes });
    await recordEntries(trx, context, { action: `${table}.updated-many`, entries });
    for (const one of records) {
      const related = countEntry(one.ids.length, [one.table, one.noun], { changes: one.changes });
      await recordEntries(trx, context, { action: `${one.table}.updated-many`, entries: related });
    }
    await context.finish(trx, { matched, changed, unchanged: matched - changed, skipped: await skipped() });
    return [
      changedEvent(`${table}.changed`, { action: 'updated', by }, updated.rows),
      ...assetEvents(assets, by),
      ...records.map((one) => changedEvent(`${one.table}.changed`, { action: 'updated', by }, one.ids)),
    ];
  });

interface Selected {
  where: RawBuilder<boolean>;
  progress: (done: number) => void;
  /** How many requested rows the condition leaves out; to be counted under the locks of the work. */
  skipped: () => Promise<NonNullable<RecordsResult['skipped']>>;
}

/** The condition of the selected rows, which leaves out those that were created after the request. */
async function select<K extends 'records.delete' | 'records.update'>(
  trx: OrganizationTransaction,
  context: JobContext<K>,
  phase: PhaseOf<K>,
): Promise<Selected> {
  const { noun, ids, filter } = context.payload;
  const { source } = deletableLists[noun];
  const requested = selected(source, { ids, filter });
  const existed = existedAtRequest(source, context);
  const where = sql<boolean>`${requested} and ${existed}`;
  const total = await count(trx, source, where);
  const missing = ids === undefined ? 0 : new Set(ids).size - (await count(trx, source, requested));
  const progress = (done: number) => context.progress({ phase, done, total });
  progress(0);
  return {
    where,
    progress,
    async skipped() {
      const later = await count(trx, source, sql`${requested} and not ${existed}`);
      const reasons = [
        { reason: 'no longer exists', count: missing },
        { reason: 'created after the request', count: later },
      ];
      return reasons.filter((one) => one.count > 0);
    },
  };
}
