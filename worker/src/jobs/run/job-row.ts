import { type JobKind, jobKinds, type JobResult } from '@riskboard/contract';
import { jobKindSchemas } from '@riskboard/contract/schemas';
import {
  type Database,
  expectRowLock,
  failWaiting,
  type JobRow,
  type OrganizationTransaction,
  rowLock,
  selectJobs,
  withOrganization,
} from '@riskboard/db';
import type { QueueMessage } from '@riskboard/queue';
import { sql } from 'kysely';

/** Which run of which job: only the newest attempt of a running job may write. */
export interface Run {
  organizationId: string;
  jobId: string;
  attempt: number;
}

/** What comes of a bell: a run, the end of a job that was tried too often, or another look later. */
export type Claim = { job: JobRow } | { over: JobRow[] } | { againMs: number };

const now = sql<Date>`now()`;
/** A run that was heard from so recently is alive (it speaks every 2 s), whatever the queue believes. */
const aliveMs = 4000;
/** How long a job of a newer version waits for its worker. */
const foreignPauseMs = 5000;

export const findJob = (trx: OrganizationTransaction, id: string): Promise<JobRow | undefined> =>
  selectJobs(trx).where('job.id', '=', id).executeTakeFirst();

function updateRun(trx: OrganizationTransaction, run: Run) {
  expectRowLock(trx, { name: 'job', id: run.jobId });
  return trx
    .updateTable('job')
    .where('id', '=', run.jobId)
    .where('attempt', '=', run.attempt)
    .where('state', '=', 'running');
}

/**
 * Takes a job for one more run. The attempt grows, so that whoever ran it before can no longer commit.
 * @returns undefined when there is nothing to do: ended, waiting for another, or deleted
 */
export function claim(database: Database, bell: QueueMessage): Promise<Claim | undefined> {
  return withOrganization(database, bell.organizationId, async (trx) => {
    const row = await lockRow(trx, bell.id);
    if (!row || row.waits_for !== null) return undefined;
    if (row.state !== 'queued' && row.state !== 'running') return undefined;
    if (row.state === 'running' && row.silentMs < aliveMs) return { againMs: aliveMs - row.silentMs };
    const { payload } = jobKindSchemas[bell.kind];
    if (row.kind !== bell.kind || !payload.safeParse(row.payload).success) return { againMs: foreignPauseMs };
    if (row.tries >= jobKinds[bell.kind].tries) return { over: await giveUp(trx, bell, row) };
    return { job: await start(trx, bell.id) };
  });
}

const lockRow = (trx: OrganizationTransaction, id: string) =>
  trx
    .selectFrom('job')
    .select(['kind', 'payload', 'state', 'attempt', 'tries', 'waits_for'])
    .select(
      sql<number>`coalesce(extract(epoch from clock_timestamp() - heartbeat_at) * 1000, 'Infinity')::float8`.as(
        'silentMs',
      ),
    )
    .where('id', '=', id)
    .modifyEnd(rowLock(trx, { name: 'job', id, mode: 'update' }))
    .executeTakeFirst();

async function start(trx: OrganizationTransaction, id: string): Promise<JobRow> {
  await trx
    .updateTable('job')
    .set((eb) => ({
      state: 'running',
      phase: 'starting',
      done: 0,
      total: 0,
      attempt: eb('attempt', '+', 1),
      tries: eb('tries', '+', 1),
      version: eb('version', '+', 1),
      heartbeat_at: sql<Date>`clock_timestamp()`,
      started_at: sql<Date>`coalesce(started_at, now())`,
      error_code: null,
      error_message: null,
    }))
    .where('id', '=', id)
    .execute();
  return selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow();
}

/** A job whose runs all died without a word: the likeliest cause is the file itself. */
const giveUp = (
  trx: OrganizationTransaction,
  { organizationId, id }: QueueMessage,
  { attempt, tries }: Pick<JobRow, 'attempt' | 'tries'>,
): Promise<JobRow[]> =>
  endAs(
    trx,
    { organizationId, jobId: id, attempt },
    {
      code: 'gave_up',
      message: `Failed ${tries} times: the worker stopped unexpectedly each time. The report may be damaged.`,
    },
  );

/** Fails a run's job and what waited for it. */
export async function endAs(
  trx: OrganizationTransaction,
  run: Run,
  error: { code: string; message: string },
): Promise<JobRow[]> {
  expectRowLock(trx, { name: 'job', id: run.jobId });
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

/** Writes how far a run is, or only that it lives. @returns undefined when the run no longer owns its job. */
export async function report(
  trx: OrganizationTransaction,
  run: Run,
  progress: { phase: string; done: number; total: number } | undefined,
): Promise<JobRow | undefined> {
  await sql`set local synchronous_commit = off`.execute(trx);
  const written = await updateRun(trx, run)
    .set((eb) => ({
      heartbeat_at: now,
      ...(progress ? { ...progress, version: eb('version', '+', 1) } : {}),
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
export async function succeed(
  trx: OrganizationTransaction,
  run: Run,
  { kind, result }: { kind: JobKind; result: JobResult<JobKind> },
): Promise<JobRow | undefined> {
  const amount = amountOf(kind, result);
  const done = await updateRun(trx, run)
    .set((eb) => ({
      state: 'succeeded',
      phase: 'done',
      done: amount,
      total: amount,
      result: JSON.stringify(result),
      finished_at: sql<Date>`clock_timestamp()`,
      version: eb('version', '+', 1),
    }))
    .returning('id')
    .executeTakeFirst();
  return done && findJob(trx, run.jobId);
}
