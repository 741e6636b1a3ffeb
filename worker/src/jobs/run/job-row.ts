import { type JobKind, jobKinds, type JobResult, triesOf } from '@riskboard/contract';
import { jobKindSchemas } from '@riskboard/contract/schemas';
import {
  type Database,
  expectRowLock,
  failWaiting,
  holdInPausedBatch,
  jobFileName,
  type JobRow,
  lockWithWaiting,
  otherRecomputationRuns,
  type OrganizationTransaction,
  selectJobs,
  startJob,
  withOrganization,
} from '@riskboard/db';
import type { QueueMessage } from '@riskboard/queue';
import { sql } from 'kysely';
import { payloadPatterns } from './payload-patterns.ts';

/** Which run of which job: only the newest run of a running job may write. */
export interface Run {
  organizationId: string;
  jobId: string;
  attempt: number;
  /** Distinguishes two runs with one attempt number, when a crash of PostgreSQL lost the start of the first. */
  runId: string | null;
}

export const runOf = (job: JobRow): Run => ({
  organizationId: job.organization_id,
  jobId: job.id,
  attempt: job.attempt,
  runId: job.run_id,
});

/**
 * The outcome of a queue message: a run of the job, failed jobs after too many tries, a redelivery after `retryMs`, or a job
 * that waits for its batch to be resumed. `isTakeover`: the earlier run has not ended.
 */
export type Claim =
  | { job: JobRow; isTakeover: boolean }
  | { failed: JobRow[] }
  | { retryMs: number }
  | { held: JobRow };

const now = sql<Date>`now()`;
/** A run with a heartbeat this recent is alive (it writes one every 2 s), even if the queue delivers its message again. */
const aliveMs = 4000;
/** Redelivery delay of a job that only a newer worker can run. */
const unknownJobDelayMs = 5000;
/** Redelivery delay of a recomputation while another one of its organization runs. */
const recomputationDelayMs = 2000;
/** Longest redelivery delay of a job that is not due yet: its row is read again, regardless of the clock of the queue. */
const notDueDelayMs = 60_000;

export const findJob = (trx: OrganizationTransaction, id: string): Promise<JobRow | undefined> =>
  selectJobs(trx).where('job.id', '=', id).executeTakeFirst();

/** Whether a job is queued and may start now. */
export const isDue = (database: Database, { organizationId, jobId }: Run): Promise<boolean> =>
  withOrganization(database, organizationId, async (trx) => {
    const job = await trx
      .selectFrom('job')
      .select('id')
      .where('id', '=', jobId)
      .where('state', '=', 'queued')
      .where('waits_for', 'is', null)
      .where('run_at', '<=', now)
      .executeTakeFirst();
    return job !== undefined;
  });

function updateRun(trx: OrganizationTransaction, run: Run) {
  expectRowLock(trx, { name: 'job', id: run.jobId });
  return trx
    .updateTable('job')
    .where('id', '=', run.jobId)
    .where('attempt', '=', run.attempt)
    .where('run_id', 'is not distinct from', run.runId)
    .where('state', '=', 'running');
}

/**
 * Starts another run of a job. The attempt number increases, so that an earlier run can no longer commit. A first run starts
 * by one call of the database; what that call leaves out is decided in a transaction. Both decide by the database's clock
 * whether the job is due.
 * @returns undefined when there is nothing to do: the job has ended, waits for another job, or was deleted
 */
export async function claim(database: Database, message: QueueMessage): Promise<Claim | undefined> {
  const payloadPattern = payloadPatterns[message.kind];
  const job = payloadPattern && (await startJob(database, { ...message, payloadPattern }));
  return job ? { job, isTakeover: false } : claimInTransaction(database, message);
}

function claimInTransaction(database: Database, message: QueueMessage): Promise<Claim | undefined> {
  return withOrganization(database, message.organizationId, async (trx) => {
    const isSecond = message.kind === 'metrics.recompute' && (await otherRecomputationRuns(trx, message.id));
    // A job that is given up fails those that wait for it.
    await lockWithWaiting(trx, message.id);
    const row = await readRow(trx, message.id);
    if (!row || row.waits_for !== null) return undefined;
    if (row.state !== 'queued' && row.state !== 'running') return undefined;
    if (row.state === 'running' && row.silentMs < aliveMs) return { retryMs: aliveMs - row.silentMs };
    const { payload } = jobKindSchemas[message.kind];
    // It would read all that the first one reads, in a slot that other organizations need. A takeover does not wait: the other
    // one may have been lost too.
    if (row.state === 'queued' && isSecond) return { retryMs: recomputationDelayMs };
    if (row.kind !== message.kind || !payload.safeParse(row.payload).success)
      return { retryMs: unknownJobDelayMs };
    if (row.state === 'queued' && row.batch_id !== null) {
      const held = await holdInPausedBatch(trx, { id: message.id, batchId: row.batch_id });
      if (held) return { held };
    }
    // Delays in the queue end by the clocks of the workers.
    if (row.state === 'queued' && row.notDueMs > 0)
      return { retryMs: Math.min(Math.ceil(row.notDueMs), notDueDelayMs) };
    if (row.tries >= triesOf(message.kind)) return { failed: await giveUp(trx, message, row) };
    return { job: await start(trx, message.id), isTakeover: row.state === 'running' };
  });
}

const readRow = (trx: OrganizationTransaction, id: string) =>
  trx
    .selectFrom('job')
    .select(['kind', 'payload', 'state', 'attempt', 'run_id', 'tries', 'waits_for', 'batch_id'])
    .select(
      sql<number>`coalesce(abs(extract(epoch from clock_timestamp() - heartbeat_at)) * 1000, 'Infinity')::float8`.as(
        'silentMs',
      ),
    )
    // Not a difference of times: PostgreSQL before version 17 has no infinite intervals.
    .select(
      sql<number>`((extract(epoch from run_at) - extract(epoch from now())) * 1000)::float8`.as('notDueMs'),
    )
    .where('id', '=', id)
    .executeTakeFirst();

const start = (trx: OrganizationTransaction, id: string): Promise<JobRow> =>
  trx
    .updateTable('job')
    .set((eb) => ({
      state: 'running',
      phase: 'starting',
      done: 0,
      total: 0,
      attempt: eb('attempt', '+', 1),
      tries: eb('tries', '+', 1),
      version: eb('version', '+', 1),
      run_id: sql<string>`gen_random_uuid()`,
      heartbeat_at: sql<Date>`clock_timestamp()`,
      started_at: sql<Date>`coalesce(started_at, now())`,
      error_code: null,
      error_message: null,
    }))
    .where('id', '=', id)
    .returningAll()
    .returning(jobFileName)
    .executeTakeFirstOrThrow();

/** Every run crashed its worker; the most likely cause is the file itself. */
const giveUp = (
  trx: OrganizationTransaction,
  { organizationId, id }: QueueMessage,
  { attempt, run_id: runId, tries }: Pick<JobRow, 'attempt' | 'run_id' | 'tries'>,
): Promise<JobRow[]> =>
  endAs(
    trx,
    { organizationId, jobId: id, attempt, runId },
    {
      code: 'gave_up',
      message: `Failed ${tries} times: the worker stopped unexpectedly each time. The report may be damaged.`,
    },
  );

/** Fails a run's job and the jobs that wait for it. */
export async function endAs(
  trx: OrganizationTransaction,
  run: Run,
  error: { code: string; message: string },
): Promise<JobRow[]> {
  await lockWithWaiting(trx, run.jobId);
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
    .where('run_id', 'is not distinct from', run.runId)
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

/** Queues the job of a run again. `counted`: whether the run counts as a try. */
export async function putBack(
  trx: OrganizationTransaction,
  run: Run,
  again: { delayMs: number; counted: boolean; message: string | null },
): Promise<JobRow[]> {
  const put = await updateRun(trx, run)
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

/** Writes a run's progress, or only its heartbeat. @returns undefined when the run no longer owns its job */
export async function report(
  trx: OrganizationTransaction,
  run: Run,
  progress: { phase: string; done: number; total: number } | undefined,
): Promise<JobRow | undefined> {
  await sql`set local synchronous_commit = off`.execute(trx);
  const written = await updateRun(trx, run)
    .set((eb) => ({
      heartbeat_at: now,
      ...progress,
      version: eb('version', '+', 1),
    }))
    .returning('id')
    .executeTakeFirst();
  return written && findJob(trx, run.jobId);
}

/** Number of items that a job processed. */
const amountOf = (kind: JobKind, result: JobResult<JobKind>): number =>
  (result as Readonly<Record<string, number>>)[jobKinds[kind].amount] ?? 0;

/**
 * Ends a run as succeeded, in the transaction of its results.
 * @returns the job as it ended; undefined when the run no longer owns it
 */
export function succeed(
  trx: OrganizationTransaction,
  run: Run,
  { kind, result }: { kind: JobKind; result: JobResult<JobKind> },
): Promise<JobRow | undefined> {
  const amount = amountOf(kind, result);
  return updateRun(trx, run)
    .set((eb) => ({
      state: 'succeeded',
      phase: 'done',
      done: amount,
      total: amount,
      result: JSON.stringify(result),
      finished_at: sql<Date>`clock_timestamp()`,
      version: eb('version', '+', 1),
    }))
    .returningAll()
    .returning(jobFileName)
    .executeTakeFirst();
}
