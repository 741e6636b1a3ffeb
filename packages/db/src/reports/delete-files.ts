import { sql } from 'kysely';
import { anyOf } from '../any-of.ts';
import { cancelJobs, type JobRow } from '../jobs/jobs.ts';
import { lockFiles } from '../locks/file-locks.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { dropAssertions, noRecordChanges, type RecordChanges, type RecordTableName } from './assertions.ts';

/** A deleted report, and how many records were deleted with it. */
export interface DeletedFile {
  id: string;
  name: string;
  dropped: Record<RecordTableName, number>;
}

export interface DeletedFiles {
  files: DeletedFile[];
  /** Of all files together. */
  records: RecordChanges;
  cancelled: JobRow[];
}

export interface FileDeletion {
  ids: readonly string[];
  /** Called after each batch of rows with the number of files that they make; throwing aborts the deletion. */
  onProgress?: (done: number) => void;
  /** Rows of a batch, about. */
  batchSize?: number;
  /** A job that the same transaction ends afterwards, and what must stop before its row is locked. */
  ownJob?: { id: string; beforeLock: () => Promise<void> };
}

/** Deletes files with their contents, jobs and the records that only they asserted; unknown ids are ignored. */
export async function deleteFiles(
  trx: OrganizationTransaction,
  { ids, onProgress, batchSize, ownJob }: FileDeletion,
): Promise<DeletedFiles> {
  const locked = ids.length === 0 ? [] : await lockFiles(trx, ids);
  if (locked.length === 0) return { files: [], records: noRecordChanges(), cancelled: [] };
  await setUncounted(trx, true);
  const fileIds = locked.map((file) => file.id);
  const { records, deletedWith } = await dropAssertions(trx, fileIds, {
    batchSize,
    onBatch: (part) => onProgress?.(Math.floor(part * locked.length)),
  });
  const files = locked.map(({ id, name }) => ({
    id,
    name,
    dropped: {
      vulnerability: deletedWith.vulnerability.get(id) ?? 0,
      threat: deletedWith.threat.get(id) ?? 0,
    },
  }));
  const cancelled = await cancelJobsOf(trx, fileIds, ownJob);
  await trx.deleteFrom('report_file').where('id', '=', anyOf(fileIds)).execute();
  await setUncounted(trx, false);
  await trx
    .deleteFrom('file_content')
    .where('id', '=', anyOf(locked.map((file) => file.content_id)))
    .execute();
  return { files, records, cancelled };
}

/** Whether deleted records are left out of the counts of their reports, because the reports are deleted too (migration 0048). */
const setUncounted = (trx: OrganizationTransaction, isOn: boolean) =>
  sql`select set_config('app.uncounted_files', ${isOn ? 'on' : ''}, true)`.execute(trx);

/** The files are locked, so no job is added to them. The own job is locked together with others, by the order of ids. */
async function cancelJobsOf(
  trx: OrganizationTransaction,
  fileIds: string[],
  ownJob: FileDeletion['ownJob'],
): Promise<JobRow[]> {
  const unfinished = await trx
    .selectFrom('job')
    .select('id')
    .where('file_id', '=', anyOf(fileIds))
    .where('state', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst();
  if (!unfinished) return [];
  await ownJob?.beforeLock();
  return cancelJobs(trx, { fileIds, ...(ownJob ? { lockWith: ownJob.id } : {}) });
}
