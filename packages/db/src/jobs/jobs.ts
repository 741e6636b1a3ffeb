import { type Job, type JobKind, type JobPayload, waitingPhases } from '@riskboard/contract';
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
      phase: job.waitsFor ? waitingPhases.report : 'waiting',
      created_by: job.createdBy ?? null,
      request_id: currentRequest(),
    })
    .execute();
  return id;
}

const jobsWithFiles = (trx: OrganizationTransaction) =>
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
    .select((eb) => eb.fn.coalesce('report_file.name', 'csv_import.file_name').as('file_name'));

/** Jobs with the names of their files. */
export const selectJobs = (trx: OrganizationTransaction) => jobsWithFiles(trx).selectAll('job');

/** Columns that lists and events show. A payload and a result may contain thousands of ids. */
const shownColumns = [
  'id',
  'organization_id',
  'kind',
  'state',
  'phase',
  'done',
  'total',
  'file_id',
  'vulnerability_id',
  'csv_import_id',
  'batch_id',
  'error_code',
  'error_message',
  'attempt',
  'version',
  'created_at',
  'started_at',
  'finished_at',
  'heartbeat_at',
  'created_by',
] as const;

/** Lists in a result that only the job itself shows. */
const hiddenInLists = ['createdIds', 'issues'];

/** A job as `presentJob` reads it. */
export type ShownJobRow = Pick<JobRow, (typeof shownColumns)[number] | 'file_name' | 'result'>;

const shownResult = `job.result - '{${hiddenInLists.join(',')}}'::text[]`;

/** SQL: the columns of `ShownJobRow` except the name of the file. */
export const shownJob = `${shownColumns.map((column) => `job.${column}`).join(', ')}, ${shownResult} as result`;

/** Jobs as `presentJob` reads them. */
export const selectShownJobs = (trx: OrganizationTransaction) =>
  jobsWithFiles(trx)
    .select(shownColumns.map((column) => `job.${column}` as const))
    .select(sql<object | null>`${sql.raw(shownResult)}`.as('result'));

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

/** The jobs of rows that a statement returned, with the names of their files. */
export async function findJobs(
  trx: OrganizationTransaction,
  found: readonly { id: string }[],
): Promise<JobRow[]> {
  if (found.length === 0) return [];
  return selectJobs(trx)
    .where('job.id', '=', anyOf(found.map((row) => row.id)))
    .execute();
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

const withoutLists = (result: object): object =>
  Object.fromEntries(Object.entries(result).filter(([name]) => !hiddenInLists.includes(name)));

/** A job with its whole result. */
export const presentJobDetail = (row: JobRow): Job => ({
  ...presentJob(row),
  result: row.result as Job['result'],
});

/** A job as lists and events show it: without the ids and issues of its result. */
export const presentJob = (row: ShownJobRow): Job => ({
  _id: row.id,
  kind: row.kind as JobKind,
  state: row.state,
  progress: { phase: row.phase, done: row.done, total: row.total },
  fileId: row.file_id,
  fileName: row.file_name,
  vulnerabilityId: row.vulnerability_id,
  ...(row.csv_import_id !== null && { importId: row.csv_import_id }),
  ...(row.batch_id !== null && { batchId: row.batch_id }),
  result: (row.result && withoutLists(row.result)) as Job['result'],
  error: row.error_code ? { code: row.error_code, message: row.error_message ?? '' } : null,
  attempt: row.attempt,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  startedAt: iso(row.started_at),
  finishedAt: iso(row.finished_at),
  heartbeatAt: iso(row.heartbeat_at),
  createdBy: row.created_by,
});
