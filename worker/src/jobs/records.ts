import { changedEvent, jobCancelledTopic, type RecordsResult } from '@riskboard/contract';
import {
  count,
  type JobRow,
  type OrganizationTransaction,
  presentJob,
  selected,
  updateRecords,
  withOrganization,
} from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import type { JobContext, JobHandler } from './context.ts';
import { erasables } from './erase.ts';
import { recordLines, summary, tally } from './told.ts';

type Bulk = 'records.delete' | 'records.update';

const tables = { vulnerabilities: 'vulnerability', threats: 'threat' } as const;

/** Deletes what was selected. All of it in one transaction, or nothing; all but reports can be brought back. */
export const recordsDelete: JobHandler<'records.delete'> = async (context) => {
  const { deps, organizationId, payload, job, signal } = context;
  const { noun } = payload;
  const { one, erase } = erasables[noun];
  const erased = await withOrganization(deps.database, organizationId, async (trx) => {
    const { where, progress, skipped } = await begin(trx, context, 'deleting');
    const done = await erase(trx, {
      where,
      by: job.created_by,
      onDone(rows) {
        signal.throwIfAborted();
        progress(rows);
      },
    });
    signal.throwIfAborted();
    await recordLines(trx, context, { action: `${one}.deleted`, noun, lines: done.lines });
    await context.finish(trx, { matched: done.count, changed: done.count, unchanged: 0, skipped });
    return done;
  });
  await tellRuns(context, erased.cancelled);
  return [
    ...erased.gone.map(({ type, rows }) =>
      changedEvent(type, { action: 'deleted', by: job.created_by }, rows),
    ),
    ...erased.cancelled.map((row) => ({ type: 'job.updated' as const, job: presentJob(row) })),
  ];
};

/** Sets the same on everything that was selected. All of it in one transaction, or nothing. */
export const recordsUpdate: JobHandler<'records.update'> = (context) =>
  withOrganization(context.deps.database, context.organizationId, async (trx) => {
    const { payload, job, signal } = context;
    const { noun } = payload;
    const table = tables[noun];
    const { where, progress, skipped } = await begin(trx, context, 'changing');
    const told = tally();
    const by = job.created_by;
    const update = { table, where, change: payload.change, by };
    const { matched, changed, changes } = await updateRecords(trx, update, (ids, done) => {
      signal.throwIfAborted();
      told.add(ids);
      progress(done);
    });
    signal.throwIfAborted();
    const lines = summary(changed, [table, noun], { changes });
    await recordLines(trx, context, { action: `${table}.updated-many`, noun, lines });
    await context.finish(trx, { matched, changed, unchanged: matched - changed, skipped });
    return [changedEvent(`${table}.changed`, { action: 'updated', by }, told.rows)];
  });

interface Beginning {
  where: RawBuilder<boolean>;
  progress: (done: number) => void;
  skipped: NonNullable<RecordsResult['skipped']>;
}

/** Which rows are meant, how many there are, and how many of those that were asked for are not. */
async function begin(
  trx: OrganizationTransaction,
  context: JobContext<Bulk>,
  verb: string,
): Promise<Beginning> {
  const { noun, ids, filter } = context.payload;
  const { source, since } = erasables[noun];
  const asked = selected(source, { ids, filter });
  // What came after somebody said "all of these" is none of these.
  const where = sql<boolean>`${asked} and ${sql.raw(since)} <= (
    select created_at from job where organization_id = current_organization() and id = ${context.job.id})`;
  const total = await count(trx, source, where);
  const there = await count(trx, source, asked);
  const named = ids === undefined ? there : new Set(ids).size;
  const reasons = [
    { reason: 'not there any more', count: named - there },
    { reason: 'came after they were asked for', count: there - total },
  ];
  const progress = (done: number) => context.progress({ phase: `${verb} ${noun}`, done, total });
  progress(0);
  return { where, progress, skipped: reasons.filter((one) => one.count > 0) };
}

/** Runs of jobs whose file is gone stop at once; one that does not hear it notices at its next progress. */
async function tellRuns({ deps }: JobContext<'records.delete'>, cancelled: readonly JobRow[]): Promise<void> {
  const told = await Promise.allSettled(
    cancelled.map(({ id }) => deps.relay.publish(jobCancelledTopic(id), {})),
  );
  const missed = told.filter(({ status }) => status === 'rejected').length;
  if (missed > 0) deps.log.warn({ missed }, 'cancellations not broadcast; the runs notice by themselves');
}
