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
  /** Called after each file with the number of files so far; throwing aborts the deletion. */
  onFile?: (done: number) => void;
  /** A job that the same transaction ends afterwards, and what must stop before its row is locked. */
  ownJob?: { id: string; beforeLock: () => Promise<void> };
}

/** Deletes files with their contents, jobs and the records that only they asserted; unknown ids are ignored. */
export async function deleteFiles(
  trx: OrganizationTransaction,
  { ids, onFile = () => undefined, ownJob }: FileDeletion,
): Promise<DeletedFiles> {
  const deleted: DeletedFiles = { files: [], records: noRecordChanges(), cancelled: [] };
  const { files, records } = deleted;
  if (ids.length === 0) return deleted;
  const locked = await lockFiles(trx, ids);
  if (locked.length === 0) return deleted;
  await setUncounted(trx, true);
  for (const { id, name } of locked) {
    const before = {
      vulnerability: records.vulnerability.deleted.count,
      threat: records.threat.deleted.count,
    };
    await dropAssertions(trx, id, records);
    const dropped = {
      vulnerability: records.vulnerability.deleted.count - before.vulnerability,
      threat: records.threat.deleted.count - before.threat,
    };
    files.push({ id, name, dropped });
    onFile(files.length);
  }
  const fileIds = locked.map((file) => file.id);
  deleted.cancelled = await cancelJobsOf(trx, fileIds, ownJob);
  await trx.deleteFrom('report_file').where('id', '=', anyOf(fileIds)).execute();
  await setUncounted(trx, false);
  await trx
    .deleteFrom('file_content')
    .where('id', '=', anyOf(locked.map((file) => file.content_id)))
    .execute();
  return deleted;
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
