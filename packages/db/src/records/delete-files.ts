import { dropAssertions, type DroppedRecords } from '../assertions.ts';
import { cancelJobs, type JobRow } from '../jobs.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** A report that is gone, and how many records went with it. */
export interface DeletedFile {
  id: string;
  name: string;
  dropped: DroppedRecords;
}

export interface DeletedFiles {
  files: DeletedFile[];
  /** Of all of them together. */
  dropped: DroppedRecords;
  /** To be told after the commit. */
  cancelled: JobRow[];
}

/**
 * Deletes files with their contents, jobs and what only they asserted; unknown ids are passed over.
 * Locked in the order of their ids, so that two deletions never wait for each other in a circle.
 * @param onFile told after each file; what it throws ends the deletion
 */
export async function deleteFiles(
  trx: OrganizationTransaction,
  ids: readonly string[],
  onFile: (done: number) => void = () => undefined,
): Promise<DeletedFiles> {
  const dropped: DroppedRecords = { vulnerability: 0, threat: 0 };
  const files: DeletedFile[] = [];
  if (ids.length === 0) return { files, dropped, cancelled: [] };
  const locked = await trx
    .selectFrom('report_file')
    .select(['id', 'name', 'content_id'])
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .orderBy('id')
    .forUpdate()
    .execute();
  if (locked.length === 0) return { files, dropped, cancelled: [] };
  const found = locked.map((file) => file.id);
  const cancelled = await cancelJobs(trx, { fileIds: found });
  for (const { id, name } of locked) {
    const gone = await dropAssertions(trx, id);
    dropped.vulnerability += gone.vulnerability;
    dropped.threat += gone.threat;
    files.push({ id, name, dropped: gone });
    onFile(files.length);
  }
  await trx.deleteFrom('report_file').where('id', 'in', found).execute();
  await trx
    .deleteFrom('file_content')
    .where(
      'id',
      'in',
      locked.map((file) => file.content_id),
    )
    .execute();
  return { files, dropped, cancelled };
}
