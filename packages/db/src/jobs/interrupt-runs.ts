import { sql } from 'kysely';
import { anyOf } from '../any-of.ts';
import { lockJobs } from '../locks/job-locks.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { jobFileName, type JobRow } from './jobs.ts';

/** Longer than a transaction waits for what a run holds (`waitForRuns`). */
const queuedAfter = sql`interval '1 minute'`;

/**
 * Queues the running jobs of some reports again, so that their runs write nothing more and release the reports. In a
 * transaction before the one that replaces or deletes the reports and cancels these jobs: a run stops only after this is
 * committed. If the second one fails, the jobs are still queued: enqueue them, and they start after a minute.
 * @returns the jobs, whose runs are to be stopped after the commit
 */
export async function interruptRuns(
  trx: OrganizationTransaction,
  fileIds: readonly string[],
): Promise<JobRow[]> {
  if (fileIds.length === 0) return [];
  const ids = await lockJobs(
    trx,
    trx.selectFrom('job').select('id').where('file_id', '=', anyOf(fileIds)).where('state', '=', 'running'),
  );
  if (ids.length === 0) return [];
  return trx
    .updateTable('job')
    .set((eb) => ({
      state: 'queued',
      phase: 'waiting',
      tries: eb('tries', '-', 1),
      // The interrupted run no longer owns the job.
      run_id: null,
      run_at: sql<Date>`now() + ${queuedAfter}`,
      rung_at: sql<Date>`now()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', anyOf(ids))
    .returningAll()
    .returning(jobFileName)
    .execute();
}
