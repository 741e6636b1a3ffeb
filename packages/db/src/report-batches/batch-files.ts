import type { BatchAttempt, BatchFile } from '@riskboard/contract';
import { type Selectable, sql } from 'kysely';
import { newId } from '../new-id.ts';
import type { Schema } from '../tables.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

interface ReceivedFile {
  batchId: string;
  name: string;
  size: number;
}

const ofName = (trx: OrganizationTransaction, { batchId, name }: ReceivedFile) =>
  trx
    .selectFrom('batch_file')
    .select(['id', 'file_id'])
    .where('batch_id', '=', batchId)
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst();

/** The id of a file name in a batch, new or known; under the lock of the file name. */
export async function batchFileId(trx: OrganizationTransaction, file: ReceivedFile): Promise<string> {
  return (await ofName(trx, file))?.id ?? newId();
}

/** Results of an earlier file of the same name in the batch, which the new one replaces. */
const noResults = {
  issues: 0,
  objects: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  message: null,
  started_at: null,
  read_at: null,
  extract_started_at: null,
  ended_at: null,
};

interface QueuedFile extends ReceivedFile {
  id: string;
  fileId: string;
  parseJobId: string;
  extractJobId: string | null;
}

/** Adds a received file to its batch, or replaces the file of the same name in it; under the lock of the file name. */
export async function addBatchFile(trx: OrganizationTransaction, file: QueuedFile): Promise<void> {
  const columns = {
    ...noResults,
    name: file.name,
    size: file.size,
    file_id: file.fileId,
    parse_job_id: file.parseJobId,
    extract_job_id: file.extractJobId,
    state: 'queued' as const,
    received_at: sql<Date>`now()`,
  };
  const { numUpdatedRows } = await trx
    .updateTable('batch_file')
    .set(columns)
    .where('id', '=', file.id)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  await trx
    .insertInto('batch_file')
    .values({
      organization_id: sql<string>`current_organization()`,
      id: file.id,
      batch_id: file.batchId,
      ...columns,
    })
    .execute();
}

/**
 * Records a file that was refused as failed; under the lock of the file name. A stored file of the same name keeps its
 * results.
 */
export async function addRefusedFile(
  trx: OrganizationTransaction,
  file: ReceivedFile & { message: string },
): Promise<void> {
  const known = await ofName(trx, file);
  if (known && known.file_id !== null) return;
  const columns = {
    name: file.name,
    size: file.size,
    message: file.message,
    state: 'failed' as const,
    received_at: sql<Date>`now()`,
    ended_at: sql<Date>`now()`,
  };
  if (known) {
    await trx.updateTable('batch_file').set(columns).where('id', '=', known.id).execute();
    return;
  }
  await trx
    .insertInto('batch_file')
    .values({
      organization_id: sql<string>`current_organization()`,
      id: newId(),
      batch_id: file.batchId,
      ...columns,
    })
    .execute();
}

export type BatchFileRow = Selectable<Schema['batch_file']> & Pick<BatchFile, 'report' | 'held'>;

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

/** A file of a batch without its attempts. */
export const presentBatchFile = (row: BatchFileRow): Omit<BatchFile, 'attempts' | 'heartbeatAt'> => ({
  _id: row.id,
  name: row.name,
  size: row.size,
  state: row.state,
  held: row.held,
  issues: row.issues,
  objects: row.objects,
  created: row.created,
  updated: row.updated,
  unchanged: row.unchanged,
  skipped: row.skipped,
  message: row.message,
  fileId: row.file_id,
  report: row.report,
  receivedAt: row.received_at.toISOString(),
  startedAt: iso(row.started_at),
  readAt: iso(row.read_at),
  extractStartedAt: iso(row.extract_started_at),
  endedAt: iso(row.ended_at),
});

/** What a page of files shows in addition to its rows, by the id of the file. */
export interface FileRuns {
  attempts: BatchAttempt[];
  heartbeatAt: string | null;
}

/** A file keeps every run; more than this many are of no use to a reader. */
const attemptsShown = 50;

/** Attempts and last signs of life of some files of batches. */
export async function runsOfFiles(
  trx: OrganizationTransaction,
  ids: readonly string[],
): Promise<Map<string, FileRuns>> {
  const runs = new Map<string, FileRuns>(ids.map((id) => [id, { attempts: [], heartbeatAt: null }]));
  if (ids.length === 0) return runs;
  const attempts = await trx
    .selectFrom('batch_attempt')
    .leftJoin('job', (join) =>
      join
        .onRef('job.organization_id', '=', 'batch_attempt.organization_id')
        .onRef('job.id', '=', 'batch_attempt.job_id'),
    )
    .selectAll('batch_attempt')
    .select(['job.heartbeat_at', 'job.state as job_state'])
    .where('batch_attempt.batch_file_id', 'in', ids)
    .orderBy('batch_attempt.started_at')
    .execute();
  for (const row of attempts) {
    const run = runs.get(row.batch_file_id);
    if (!run) continue;
    run.attempts.push({
      step: row.step,
      attempt: row.attempt,
      startedAt: row.started_at.toISOString(),
      endedAt: iso(row.ended_at),
      outcome: row.outcome,
      message: row.message,
    });
    if (run.attempts.length > attemptsShown) run.attempts.shift();
    if (row.job_state === 'running') run.heartbeatAt = iso(row.heartbeat_at);
  }
  return runs;
}
