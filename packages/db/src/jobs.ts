import type { Job, JobKind, JobPayload } from '@riskboard/contract';
import { type Selectable, sql } from 'kysely';
import { newId } from './new-id.ts';
import type { JobTable } from './schema.ts';
import type { OrganizationTransaction } from './with-organization.ts';

export interface NewJob<K extends JobKind> {
  kind: K;
  payload: JobPayload<K>;
  organizationId: string;
  /** Made beforehand when the row that it works on names it. */
  id?: string;
  fileId?: string;
  /** Starts only after this job has succeeded. */
  waitsFor?: string;
  createdBy?: string | null;
}

export type JobRow = Selectable<JobTable> & { file_name: string | null };

/** Writes the row, in the transaction of the change that asks for the work. Ring the bell after the commit. */
export async function insertJob<K extends JobKind>(
  trx: OrganizationTransaction,
  job: NewJob<K>,
): Promise<string> {
  const id = job.id ?? newId();
  await trx
    .insertInto('job')
    .values({
      id,
      organization_id: job.organizationId,
      kind: job.kind,
      payload: JSON.stringify(job.payload),
      file_id: job.fileId ?? null,
      waits_for: job.waitsFor ?? null,
      phase: job.waitsFor ? 'waiting for the report to be read' : 'waiting',
      created_by: job.createdBy ?? null,
    })
    .execute();
  return id;
}

/** Jobs with the name of their file, as the contract shows them. */
export const selectJobs = (trx: OrganizationTransaction) =>
  trx
    .selectFrom('job')
    .leftJoin('report_file', (join) =>
      join
        .onRef('report_file.organization_id', '=', 'job.organization_id')
        .onRef('report_file.id', '=', 'job.file_id'),
    )
    .selectAll('job')
    .select('report_file.name as file_name');

/**
 * Ends unfinished jobs as cancelled and returns them; running ones notice and stop. Locked in the order of their ids:
 * a job is older than what waits for it, and its worker ends the two in that order.
 */
export async function cancelJobs(
  trx: OrganizationTransaction,
  which: { id: string } | { fileIds: string[] } | { waitsFor: string } | { all: true },
): Promise<JobRow[]> {
  const cancelled = await trx
    .updateTable('job')
    .set((eb) => ({
      state: 'cancelled',
      finished_at: sql<Date>`now()`,
      version: eb('version', '+', 1),
      waits_for: null,
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('job')
        .select('id')
        .where('state', 'in', ['queued', 'running'])
        .$if('id' in which, (query) => query.where('id', '=', 'id' in which ? which.id : ''))
        .$if('fileIds' in which, (query) =>
          query.where('file_id', 'in', 'fileIds' in which ? which.fileIds : []),
        )
        .$if('waitsFor' in which, (query) =>
          query.where('waits_for', '=', 'waitsFor' in which ? which.waitsFor : ''),
        )
        .orderBy('id')
        .forUpdate(),
    )
    .returning('id')
    .execute();
  return findJobs(trx, cancelled);
}

/** Lets the jobs that waited for this one start. Ring for them after the commit. */
export async function releaseWaiting(trx: OrganizationTransaction, jobId: string): Promise<JobRow[]> {
  const released = await trx
    .updateTable('job')
    .set((eb) => ({
      waits_for: null,
      phase: 'waiting',
      run_at: sql<Date>`now()`,
      rung_at: sql<Date>`now()`,
      version: eb('version', '+', 1),
    }))
    .where('waits_for', '=', jobId)
    .where('state', '=', 'queued')
    .returning('id')
    .execute();
  return findJobs(trx, released);
}

/** Fails the jobs that waited for one that came to nothing. */
export async function failWaiting(
  trx: OrganizationTransaction,
  jobId: string,
  error: { code: string; message: string },
): Promise<JobRow[]> {
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
    .where('waits_for', '=', jobId)
    .where('state', '=', 'queued')
    .returning('id')
    .execute();
  return findJobs(trx, failed);
}

/**
 * Lets the jobs that ended because this one came to nothing wait for it again; to be asked before it is put back. What
 * somebody had cancelled on its own before is left alone.
 */
export async function reviveWaiting(trx: OrganizationTransaction, jobId: string): Promise<JobRow[]> {
  const ended = await trx
    .selectFrom('job')
    .select([
      'file_id',
      sql<string>`started_at::text`.as('started'),
      sql<string>`finished_at::text`.as('finished'),
    ])
    .where('id', '=', jobId)
    .where('state', 'in', ['failed', 'cancelled'])
    .forUpdate()
    .executeTakeFirst();
  if (!ended) return [];
  const { started, finished } = ended;
  const revived = await trx
    .updateTable('job')
    .set((eb) => ({
      state: 'queued',
      phase: 'waiting for the report to be read',
      waits_for: jobId,
      error_code: null,
      error_message: null,
      finished_at: null,
      version: eb('version', '+', 1),
    }))
    .where('file_id', '=', ended.file_id)
    .where('id', '>', jobId)
    .where('attempt', '=', 0)
    // Both ends are of one transaction: a cancellation's at one moment, a failure's within the run.
    .where(
      sql<boolean>`(state = 'cancelled' and finished_at = ${finished}::timestamptz
        or state = 'failed' and finished_at between ${started}::timestamptz and ${finished}::timestamptz)`,
    )
    .returning('id')
    .execute();
  return findJobs(trx, revived);
}

async function findJobs(trx: OrganizationTransaction, found: { id: string }[]): Promise<JobRow[]> {
  if (found.length === 0) return [];
  return selectJobs(trx)
    .where(
      'job.id',
      'in',
      found.map((row) => row.id),
    )
    .execute();
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

/** The only road from a job's row to the wire. */
export const presentJob = (row: JobRow): Job => ({
  _id: row.id,
  kind: row.kind as JobKind,
  state: row.state,
  progress: { phase: row.phase, done: row.done, total: row.total },
  fileId: row.file_id,
  fileName: row.file_name,
  vulnerabilityId: row.vulnerability_id,
  result: row.result as Job['result'],
  error: row.error_code ? { code: row.error_code, message: row.error_message ?? '' } : null,
  attempt: row.attempt,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  startedAt: iso(row.started_at),
  finishedAt: iso(row.finished_at),
  createdBy: row.created_by,
});
