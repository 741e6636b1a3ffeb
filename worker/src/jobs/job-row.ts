import { jobKinds } from '@riskboard/contract';
import {
  type Database,
  failWaiting,
  type JobRow,
  type OrganizationTransaction,
  selectJobs,
  withOrganization,
} from '@riskboard/db';
import type { Bell } from '@riskboard/queue';
import { sql } from 'kysely';

/** Which run of which job: only the newest attempt of a running job may write. */
export interface Run {
  organizationId: string;
  jobId: string;
  attempt: number;
}

const now = sql<Date>`now()`;

export const findJob = (trx: OrganizationTransaction, id: string): Promise<JobRow | undefined> =>
  selectJobs(trx).where('job.id', '=', id).executeTakeFirst();

const ofRun = (trx: OrganizationTransaction, run: Run) =>
  trx
    .updateTable('job')
    .where('id', '=', run.jobId)
    .where('attempt', '=', run.attempt)
    .where('state', '=', 'running');

/**
 * Takes a job for one more run. The attempt grows, so that whoever ran it before can no longer commit.
 * @returns undefined when there is nothing to do: ended, waiting for another, deleted, or tried too often
 * (then it is failed here).
 */
export function claim(database: Database, bell: Bell): Promise<{ job: JobRow; over: JobRow[] } | undefined> {
  const { tries } = jobKinds[bell.kind];
  return withOrganization(database, bell.organizationId, async (trx) => {
    const taken = await trx
      .updateTable('job')
      .set((eb) => ({
        state: 'running',
        phase: 'starting',
        done: 0,
        total: 0,
        attempt: eb('attempt', '+', 1),
        tries: eb('tries', '+', 1),
        version: eb('version', '+', 1),
        heartbeat_at: now,
        started_at: sql<Date>`coalesce(started_at, now())`,
        error_code: null,
        error_message: null,
      }))
      .where('id', '=', bell.id)
      .where('state', 'in', ['queued', 'running'])
      .where('waits_for', 'is', null)
      .where('tries', '<', tries)
      .returning('id')
      .executeTakeFirst();
    if (taken) {
      const job = await findJob(trx, bell.id);
      return job && { job, over: [] };
    }
    return giveUp(trx, bell, tries);
  });
}

/** A job whose runs all died without a word: the likeliest cause is the file itself. */
async function giveUp(trx: OrganizationTransaction, bell: Bell, tries: number) {
  const job = await findJob(trx, bell.id);
  if (!job || job.tries < tries || (job.state !== 'queued' && job.state !== 'running')) return undefined;
  const error = { code: 'gave_up', message: `Given up after ${tries} tries: the worker stopped each time.` };
  const over = await endAs(
    trx,
    { organizationId: bell.organizationId, jobId: bell.id, attempt: job.attempt },
    error,
  );
  return { job, over };
}

/** Fails a run's job and what waited for it. */
export async function endAs(
  trx: OrganizationTransaction,
  run: Run,
  error: { code: string; message: string },
): Promise<JobRow[]> {
  const failed = await trx
    .updateTable('job')
    .set((eb) => ({
      state: 'failed',
      error_code: error.code,
      error_message: error.message,
      finished_at: sql<Date>`clock_timestamp()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', run.jobId)
    .where('attempt', '=', run.attempt)
    .where('state', 'in', ['queued', 'running'])
    .returning('id')
    .executeTakeFirst();
  if (!failed) return [];
  const job = await findJob(trx, run.jobId);
  const waiting = await failWaiting(trx, run.jobId, {
    code: 'prerequisite_failed',
    message: `Not started: ${error.message}`,
  });
  return job ? [job, ...waiting] : waiting;
}

/** Back to the queue. `counted`: false when the run stopped through no fault of the job's. */
export async function putBack(
  trx: OrganizationTransaction,
  run: Run,
  again: { delayMs: number; counted: boolean; message: string | null },
): Promise<JobRow[]> {
  const put = await ofRun(trx, run)
    .set((eb) => ({
      state: 'queued',
      phase: 'waiting',
      tries: again.counted ? eb.ref('tries') : eb('tries', '-', 1),
      error_code: again.message === null ? null : 'retrying',
      error_message: again.message,
      run_at: sql<Date>`now() + make_interval(secs => ${again.delayMs / 1000})`,
      rung_at: now,
      version: eb('version', '+', 1),
    }))
    .returning('id')
    .executeTakeFirst();
  const job = put && (await findJob(trx, run.jobId));
  return job ? [job] : [];
}

/** Writes how far a run is, or only that it lives. @returns undefined when the run no longer owns its job. */
export async function report(
  trx: OrganizationTransaction,
  run: Run,
  progress: { phase: string; done: number; total: number } | undefined,
): Promise<JobRow | undefined> {
  await sql`set local synchronous_commit = off`.execute(trx);
  const written = await ofRun(trx, run)
    .set((eb) => ({
      heartbeat_at: now,
      ...(progress ? { ...progress, version: eb('version', '+', 1) } : {}),
    }))
    .returning('id')
    .executeTakeFirst();
  return written && findJob(trx, run.jobId);
}

/** Ends a run well, in the transaction of its results. @returns false when the run no longer owns its job. */
export async function succeed(trx: OrganizationTransaction, run: Run, result: object): Promise<boolean> {
  const done = await ofRun(trx, run)
    .set((eb) => ({
      state: 'succeeded',
      phase: 'done',
      done: sql<number>`total`,
      result: JSON.stringify(result),
      finished_at: sql<Date>`clock_timestamp()`,
      version: eb('version', '+', 1),
    }))
    .returning('id')
    .executeTakeFirst();
  return done !== undefined;
}
