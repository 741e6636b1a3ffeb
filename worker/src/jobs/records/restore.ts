import {
  type ActivityAction,
  changedEvent,
  type JobPayload,
  type OrganizationEvent,
  type RecordsResult,
} from '@riskboard/contract';
import {
  assetsOf,
  countDeletedByJob,
  idsDeletedByJob,
  lockDeletedByJob,
  noteRestoration,
  type OrganizationTransaction,
  presentJob,
  type RecordTableName,
  restoreAssets,
  restoreProjects,
  restoreRecords,
  selectJobs,
  setScoreContext,
  withOrganization,
} from '@riskboard/db';
import { recordEntries } from '../run/activity-entries.ts';
import type { JobHandler } from '../run/context.ts';
import { assetEvents } from './deletions.ts';
import { MovedRows } from './moved-rows.ts';

/** Counts what a restoration changes. */
interface Restored {
  /** Rows of the list. */
  rows: MovedRows;
  /** Assets whose relations returned with the rows; of projects, their assets. */
  assets: Set<string>;
}

interface RestorableList {
  table: 'vulnerability' | 'threat' | 'asset' | 'project';
  action: Extract<ActivityAction, `${string}.restored`>;
  /** Why a row stays in the trash. */
  kept: string;
  /** Restores one batch of rows. */
  restore(
    trx: OrganizationTransaction,
    batch: { ids: string[]; by: string | null },
    restored: Restored,
  ): Promise<void>;
}

const records = (table: RecordTableName): RestorableList => ({
  table,
  action: `${table}.restored`,
  kept: 'a report created them again, or their reports were deleted',
  async restore(trx, { ids, by }, restored) {
    await setScoreContext(trx, { by });
    const rows = await restoreRecords(trx, table, ids);
    restored.rows.addRows(rows);
    const related = await assetsOf(trx, { table, ids: rows.map(({ id }) => id) });
    for (const asset of related) restored.assets.add(asset);
  },
});

/** How the rows of each list are restored. */
const restorableLists: Readonly<Record<JobPayload<'records.restore'>['noun'], RestorableList>> = {
  vulnerabilities: records('vulnerability'),
  threats: records('threat'),
  assets: {
    table: 'asset',
    action: 'asset.restored',
    kept: 'their project was deleted',
    async restore(trx, { ids, by }, restored) {
      restored.rows.addRows(await restoreAssets(trx, ids, by));
    },
  },
  projects: {
    table: 'project',
    action: 'project.restored',
    kept: 'they exist again',
    async restore(trx, { ids, by }, restored) {
      const { projects, assets } = await restoreProjects(trx, ids, by);
      restored.rows.addRows(projects);
      for (const { id } of assets) restored.assets.add(id);
    },
  },
};

/** Restores what a job deleted and what is still in the trash, all of it in one transaction or nothing. */
export const recordsRestore: JobHandler<'records.restore'> = (context) =>
  withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const { payload, job, signal } = context;
    const { noun, deletionId: jobId } = payload;
    const { table, action, kept, restore } = restorableLists[noun];
    const phase = `restoring ${noun}` as const;
    await lockDeletedByJob(trx, { table, jobId });
    const total = await countDeletedByJob(trx, { table, jobId });
    context.progress({ phase, done: 0, total });
    const restored: Restored = { rows: new MovedRows(), assets: new Set() };
    let done = 0;
    for await (const ids of idsDeletedByJob(trx, { table, jobId })) {
      signal.throwIfAborted();
      await restore(trx, { ids, by: job.created_by }, restored);
      done += ids.length;
      context.progress({ phase, done, total });
    }
    signal.throwIfAborted();
    const { count } = restored.rows;
    const reasons = [
      {
        reason: 'restored before, or deleted more than 30 days ago',
        count: (await deletedCount(trx, jobId)) - total,
      },
      { reason: kept, count: total - count },
    ];
    const detail = table === 'project' ? { assets: restored.assets.size } : {};
    await recordEntries(trx, context, { action, entries: restored.rows.entry([table, noun], detail) });
    const undone = count === 0 ? [] : await noteRestoration(trx, { table, jobId }, count);
    await context.finish(trx, {
      matched: count,
      changed: count,
      unchanged: 0,
      skipped: reasons.filter((one) => one.count > 0),
      restorable: noun,
    });
    return [
      ...eventsOf(table, { by: job.created_by, restored }),
      ...undone.map((row) => ({ type: 'job.updated' as const, job: presentJob(row) })),
    ];
  });

/** How many rows the job deleted. */
async function deletedCount(trx: OrganizationTransaction, jobId: string): Promise<number> {
  const job = await selectJobs(trx).where('job.id', '=', jobId).executeTakeFirst();
  return (job?.result as RecordsResult | null | undefined)?.changed ?? 0;
}

function eventsOf(
  table: RestorableList['table'],
  { by, restored: { rows, assets } }: { by: string | null; restored: Restored },
): OrganizationEvent[] {
  if (rows.count === 0) return [];
  const created = changedEvent(`${table}.changed`, { action: 'created', by }, rows.rows);
  if (table !== 'project') return [created, ...assetEvents([...assets], by)];
  return assets.size === 0
    ? [created]
    : [created, changedEvent('asset.changed', { action: 'created', by }, [...assets])];
}
