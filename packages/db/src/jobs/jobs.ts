import type { Job, JobKind, JobPayload } from '@riskboard/contract';
import { type Selectable, sql } from 'kysely';
import { anyOf } from '../any-of.ts';
import { lockJobs } from '../locks/job-locks.ts';
import { newId } from '../new-id.ts';
import { currentRequest } from './request-scope.ts';
import type { JobTable } from '../tables.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

export interface NewJob<K extends JobKind> {
  kind: K;
  payload: JobPayload<K>;
  organizationId: string;
  /** Given when another row refers to the job before it exists. */
  id?: string;
  fileId?: string;
  csvImportId?: string;
  /** The file of a batch that it works on. */
  batch?: { id: string; fileId: string } | undefined;
  /** The vulnerability that it works on, when it is one. */
  vulnerabilityId?: string;
  /** Starts only after this job has succeeded. */
  waitsFor?: string;
  createdBy?: string | null;
}

export type JobRow = Selectable<JobTable> & { file_name: string | null };

/** Writes the row, in the transaction of the change that needs the work. Enqueue it after the commit. */
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
      csv_import_id: job.csvImportId ?? null,
      batch_id: job.batch?.id ?? null,
      batch_file_id: job.batch?.fileId ?? null,
      vulnerability_id: job.vulnerabilityId ?? null,
      waits_for: job.waitsFor ?? null,
      phase: job.waitsFor ? 'waiting for the report to be read' : 'waiting',
      created_by: job.createdBy ?? null,
      request_id: currentRequest(),
    })
    .execute();
  return id;
}

/** Jobs with the names of their files, as the contract shows them. */
export const selectJobs = (trx: OrganizationTransaction) =>
  trx
    .selectFrom('job')
    .leftJoin('report_file', (join) =>
      join
        .onRef('report_file.organization_id', '=', 'job.organization_id')
        .onRef('report_file.id', '=', 'job.file_id'),
    )
    .leftJoin('csv_import', (join) =>
      join
        .onRef('csv_import.organization_id', '=', 'job.organization_id')
        .onRef('csv_import.id', '=', 'job.csv_import_id'),
    )
    .selectAll('job')
    .select((eb) => eb.fn.coalesce('report_file.name', 'csv_import.file_name').as('file_name'));

/** The name of a job's file, for statements that return the jobs that they change as `selectJobs` does. */
export const jobFileName = sql<string | null>`coalesce(
  (select f.name from report_file f where f.organization_id = job.organization_id and f.id = job.file_id),
  (select c.file_name from csv_import c where c.organization_id = job.organization_id and c.id = job.csv_import_id)
)`.as('file_name');

/**
 * Whether a job is routine that no person requested and that has not failed: lists and events leave it out, so that it
 * hides no job of a person.
 */
export const isUnattended = (job: Pick<JobRow, 'kind' | 'created_by' | 'state'>): boolean =>
  job.kind === 'metrics.recompute' && job.created_by === null && job.state !== 'failed';

/** SQL: a row `job` that lists show, for which `isUnattended` does not hold. */
export const isShownJob = `not (job.kind = 'metrics.recompute' and job.created_by is null and job.state <> 'failed')`;

/** The queue message of a job. Jobs of different organizations start in rotation (migration 0014). */
export const messageOf = (job: Pick<JobRow, 'id' | 'kind' | 'organization_id' | 'queue_order'>) => ({
  id: job.id,
  kind: job.kind as JobKind,
  organizationId: job.organization_id,
  order: job.queue_order,
});

/** Which jobs to cancel; `lockWith` is another job that the same transaction changes afterwards. */
export type JobSelection =
  | { id: string }
  | { fileIds: string[]; lockWith?: string }
  | { csvImportId: string }
  | { batchId: string }
  /** Under `lockWithWaiting`. */
  | { waitsFor: string }
  | { all: true };

const unfinished = ['queued', 'running'] as const;

/** Sets unfinished jobs to cancelled and returns them; their runs notice and stop. */
export async function cancelJobs(trx: OrganizationTransaction, which: JobSelection): Promise<JobRow[]> {
  if ('fileIds' in which && which.fileIds.length === 0) return [];
  const lockWith = 'fileIds' in which ? which.lockWith : undefined;
  const ids = await lockJobs(
    trx,
    trx
      .selectFrom('job')
      .select('id')
      .where('state', 'in', unfinished)
      .where((eb) => {
        if ('id' in which) return eb('id', '=', which.id);
        if ('csvImportId' in which) return eb('csv_import_id', '=', which.csvImportId);
        if ('batchId' in which) return eb('batch_id', '=', which.batchId);
        if ('waitsFor' in which) return eb('waits_for', '=', which.waitsFor);
        if ('all' in which) return eb.lit(true);
        const ofFiles = eb('file_id', '=', anyOf(which.fileIds));
        return lockWith === undefined ? ofFiles : eb.or([ofFiles, eb('id', '=', lockWith)]);
      }),
  );
  const chosen = ids.filter((id) => id !== lockWith);
  if (chosen.length === 0) return [];
  const cancelled = await trx
    .updateTable('job')
    .set((eb) => ({
      state: 'cancelled',
      finished_at: sql<Date>`now()`,
      version: eb('version', '+', 1),
      waits_for: null,
    }))
    .where('id', '=', anyOf(chosen))
    .where('state', 'in', unfinished)
    .returning('id')
    .execute();
  return findJobs(trx, cancelled);
}

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
      phase: 'waiting for the report to be read',
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

async function findJobs(trx: OrganizationTransaction, found: { id: string }[]): Promise<JobRow[]> {
  if (found.length === 0) return [];
  return selectJobs(trx)
    .where('job.id', '=', anyOf(found.map((row) => row.id)))
    .execute();
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

/** A job as the API and the events show it. */
export const presentJob = (row: JobRow): Job => ({
  _id: row.id,
  kind: row.kind as JobKind,
  state: row.state,
  progress: { phase: row.phase, done: row.done, total: row.total },
  fileId: row.file_id,
  fileName: row.file_name,
  vulnerabilityId: row.vulnerability_id,
  ...(row.csv_import_id !== null && { importId: row.csv_import_id }),
  ...(row.batch_id !== null && { batchId: row.batch_id }),
  result: row.result as Job['result'],
  error: row.error_code ? { code: row.error_code, message: row.error_message ?? '' } : null,
  attempt: row.attempt,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  startedAt: iso(row.started_at),
  finishedAt: iso(row.finished_at),
  heartbeatAt: iso(row.heartbeat_at),
  createdBy: row.created_by,
});
