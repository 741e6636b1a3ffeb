import {
  cancelJobs,
  dropAssertions,
  type DroppedRecords,
  type JobRow,
  type OrganizationTransaction,
} from '@riskboard/db';
import type { Caller } from '../lib/caller.ts';
import { recordActivity } from '../lib/activity.ts';

export interface DeletedFiles {
  ids: string[];
  dropped: DroppedRecords;
  cancelled: JobRow[];
}

/**
 * Deletes files with their contents, jobs and what only they asserted; unknown ids are passed over.
 * Locked in the order of their ids, so that two deletions never wait for each other in a circle.
 */
export async function deleteFiles(
  trx: OrganizationTransaction,
  caller: Caller,
  ids: string[],
): Promise<DeletedFiles> {
  const files = await trx
    .selectFrom('report_file')
    .select(['id', 'name', 'content_id'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  const found = files.map((file) => file.id);
  const dropped: DroppedRecords = { vulnerability: 0, threat: 0 };
  if (found.length === 0) return { ids: found, dropped, cancelled: [] };
  const cancelled = await cancelJobs(trx, { fileIds: found });
  for (const file of files) {
    const gone = await dropAssertions(trx, file.id);
    dropped.vulnerability += gone.vulnerability;
    dropped.threat += gone.threat;
    await recordActivity(trx, caller, {
      action: 'report.deleted',
      noun: 'reports',
      nounId: file.id,
      name: file.name,
      detail: { ...gone },
    });
  }
  await trx.deleteFrom('report_file').where('id', 'in', found).execute();
  await trx
    .deleteFrom('file_content')
    .where(
      'id',
      'in',
      files.map((file) => file.content_id),
    )
    .execute();
  return { ids: found, dropped, cancelled };
}
