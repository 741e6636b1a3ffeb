import { waitingPhases } from '@riskboard/contract';
import { sql } from 'kysely';
import { anyOf } from '../any-of.ts';
import { lockJobs } from '../locks/job-locks.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { cancelJobs, findJobs, jobFileName, type JobRow } from './jobs.ts';

/**
 * Locks a job and, before those that are younger, the extractions that wait for it: one that was queued again waits for a
 * younger parse. All older extractions of the report that have not succeeded are locked, because one that is being queued
 * again meanwhile does not wait yet. Called before `releaseWaiting`, `failWaiting`, `reviveWaiting` and `cancelWithWaiting`
 * change the job.
 */
export async function lockWithWaiting(trx: OrganizationTransaction, jobId: string): Promise<void> {
  await lockJobs(
    trx,
    trx
      .selectFrom('job')
      .select('id')
      .where(
        sql<boolean>`id = any (array(
        select ${jobId}::uuid union all
        select e.id from job p join job e on e.organization_id = p.organization_id and e.file_id = p.file_id
        where p.organization_id = current_organization() and p.id = ${jobId} and p.kind = 'stix.parse'
          and e.kind = 'stix.extract' and e.state <> 'succeeded' and e.id < p.id))`,
      ),
  );
}

/** Cancels a job and the jobs that wait for it. @returns the job if it had not ended, and those that waited */
export async function cancelWithWaiting(
  trx: OrganizationTransaction,
  id: string,
): Promise<{ own: JobRow[]; waiting: JobRow[] }> {
  await lockWithWaiting(trx, id);
  return { own: await cancelJobs(trx, { id }), waiting: await cancelJobs(trx, { waitsFor: id }) };
}

/** Locks the queued jobs that wait for this one, under `lockWithWaiting`. */
const lockWaiting = (trx: OrganizationTransaction, jobId: string): Promise<string[]> =>
  lockJobs(
    trx,
    trx.selectFrom('job').select('id').where('waits_for', '=', jobId).where('state', '=', 'queued'),
  );

/** Lets the jobs that waited for this one start, under `lockWithWaiting`. Enqueue them after the commit. */
export async function releaseWaiting(trx: OrganizationTransaction, jobId: string): Promise<JobRow[]> {
  const ids = await lockWaiting(trx, jobId);
  if (ids.length === 0) return [];
  return trx
    .updateTable('job')
    .set((eb) => ({
      waits_for: null,
      phase: 'waiting',
      run_at: sql<Date>`now()`,
      rung_at: sql<Date>`now()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', anyOf(ids))
    .returningAll()
    .returning(jobFileName)
    .execute();
}

/** Fails the jobs that waited for a job that failed, under `lockWithWaiting`. */
export async function failWaiting(
  trx: OrganizationTransaction,
  jobId: string,
  error: { code: string; message: string },
): Promise<JobRow[]> {
  const ids = await lockWaiting(trx, jobId);
  if (ids.length === 0) return [];
  const failed = await trx
    .updateTable('job')
    .set((eb) => ({
      state: 'failed',
      waits_for: null,
      error_code: error.code,
      error_message: error.message,
      finished_at: sql<Date>`now()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', anyOf(ids))
    .returning('id')
    .execute();
  return findJobs(trx, failed);
}

/**
 * Lets the extractions that ended together with this parse wait for it again; called before it is queued again. One that
 * was cancelled separately stays cancelled.
 */
export async function reviveWaiting(trx: OrganizationTransaction, jobId: string): Promise<JobRow[]> {
  await lockWithWaiting(trx, jobId);
  const ended = await trx
    .selectFrom('job')
    .select([
      'file_id',
      sql<string>`started_at::text`.as('started'),
      sql<string>`finished_at::text`.as('finished'),
    ])
    .where('id', '=', jobId)
    .where('kind', '=', 'stix.parse')
    .where('state', 'in', ['failed', 'cancelled'])
    .executeTakeFirst();
  if (!ended) return [];
  const { started, finished } = ended;
  const ids = await lockJobs(
    trx,
    trx
      .selectFrom('job')
      .select('id')
      .where('file_id', '=', ended.file_id)
      .where('kind', '=', 'stix.extract')
      // Not since it was last queued.
      .where('started_at', 'is', null)
      // One transaction ended both: a cancellation at one moment, a failure within the run.
      .where(
        sql<boolean>`(state = 'cancelled' and finished_at = ${finished}::timestamptz
          or state = 'failed' and finished_at between ${started}::timestamptz and ${finished}::timestamptz)`,
      ),
  );
  if (ids.length === 0) return [];
  const revived = await trx
    .updateTable('job')
    .set((eb) => ({
      state: 'queued',
      phase: waitingPhases.report,
      waits_for: jobId,
      error_code: null,
      error_message: null,
      finished_at: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', anyOf(ids))
    .returning('id')
    .execute();
  return findJobs(trx, revived);
}
