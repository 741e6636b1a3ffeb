import { waitingPhases } from '@riskboard/contract';
import { sql } from 'kysely';
import { anyOf } from '../any-of.ts';
import { jobFileName, type JobRow, selectJobs } from '../jobs/jobs.ts';
import { lockJobs } from '../locks/job-locks.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

const byId = (trx: OrganizationTransaction, ids: readonly string[]): Promise<JobRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : selectJobs(trx).where('job.id', '=', anyOf(ids)).orderBy('job.id').execute();

/**
 * Queues the failed files of a batch again, where the report is still the one that the batch uploaded. A failed reading
 * is repeated, with the extraction that did not start; a failed extraction alone otherwise.
 * @returns the number of files and the queued jobs
 */
export async function retryFailedFiles(
  trx: OrganizationTransaction,
  batchId: string,
): Promise<{ files: number; jobs: JobRow[] }> {
  const ids = await lockJobs(
    trx,
    trx
      .selectFrom('job')
      .select('id')
      .where('batch_id', '=', batchId)
      .where('state', '=', 'failed')
      .where(
        sql<boolean>`exists (
          select from batch_file f join report_file r
            on r.organization_id = f.organization_id and r.id = f.file_id and r.parse_job_id = f.parse_job_id
          where f.organization_id = job.organization_id and f.id = job.batch_file_id
            and job.id in (f.parse_job_id, f.extract_job_id))`,
      ),
  );
  if (ids.length === 0) return { files: 0, jobs: [] };
  const { rows } = await sql<{ id: string; batch_file_id: string }>`
    update job set state = 'queued', phase = case when w.parse_id is null then 'waiting' else ${waitingPhases.report} end,
      done = 0, total = 0, tries = 0, result = null, error_code = null, error_message = null, finished_at = null,
      started_at = null, run_at = now(), rung_at = now(), waits_for = w.parse_id, version = version + 1
    from (
      select j.id, p.id as parse_id from job j
      join batch_file f on f.organization_id = j.organization_id and f.id = j.batch_file_id
      left join job p on p.organization_id = j.organization_id and p.id = f.parse_job_id
        and p.id <> j.id and p.state = 'failed'
      where j.organization_id = current_organization() and j.id = any (${ids}::uuid[])
    ) w
    where job.organization_id = current_organization() and job.id = w.id
    returning job.id, job.batch_file_id`.execute(trx);
  return {
    files: new Set(rows.map((row) => row.batch_file_id)).size,
    jobs: await byId(
      trx,
      rows.map((row) => row.id),
    ),
  };
}

/** Locks the jobs of a batch that may start, or wait for the batch to be resumed. */
const lockQueuedJobs = (trx: OrganizationTransaction, batchId: string): Promise<string[]> =>
  lockJobs(
    trx,
    trx
      .selectFrom('job')
      .select('id')
      .where('batch_id', '=', batchId)
      .where('state', '=', 'queued')
      .where('waits_for', 'is', null),
  );

/** Lets locked jobs wait for their batch to be resumed. @returns them: publish them after the commit */
const hold = (trx: OrganizationTransaction, ids: readonly string[]): Promise<JobRow[]> =>
  trx
    .updateTable('job')
    .set((eb) => ({
      run_at: sql<Date>`'infinity'`,
      phase: waitingPhases.batch,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', anyOf(ids))
    .returningAll()
    .returning(jobFileName)
    .execute();

/**
 * Lets the queued jobs of a batch wait until it is resumed, as `holdInPausedBatch` does with those that are added later.
 * @returns them: publish them after the commit
 */
export async function holdBatchJobs(trx: OrganizationTransaction, batchId: string): Promise<JobRow[]> {
  const ids = await lockQueuedJobs(trx, batchId);
  return ids.length === 0 ? [] : hold(trx, ids);
}

/** Lets the queued jobs of a resumed batch start. @returns them: enqueue them after the commit */
export async function releaseBatchJobs(trx: OrganizationTransaction, batchId: string): Promise<JobRow[]> {
  const ids = await lockQueuedJobs(trx, batchId);
  if (ids.length === 0) return [];
  await trx
    .updateTable('job')
    .set((eb) => ({
      run_at: sql<Date>`now()`,
      rung_at: sql<Date>`now()`,
      phase: 'waiting',
      version: eb('version', '+', 1),
    }))
    .where('id', '=', anyOf(ids))
    .execute();
  return byId(trx, ids);
}

/**
 * For a run that is about to start, with its job locked. In a paused batch the job waits for the batch to be resumed: a
 * time that never comes keeps the sweep from enqueuing it, and other organizations from queuing behind it.
 * @returns the job when it may not start: publish it after the commit
 */
export async function holdInPausedBatch(
  trx: OrganizationTransaction,
  job: { id: string; batchId: string },
): Promise<JobRow | undefined> {
  const paused = await trx
    .selectFrom('batch')
    .select('id')
    .where('id', '=', job.batchId)
    .where('paused_at', 'is not', null)
    .executeTakeFirst();
  if (!paused) return undefined;
  const [held] = await hold(trx, [job.id]);
  return held;
}
