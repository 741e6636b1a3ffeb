import {
  deleteFiles,
  type DeletedFiles,
  type JobRow,
  type OrganizationTransaction,
  reportFileSource,
  idsOfAll,
  selected,
} from '@riskboard/db';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { deletionJob, type Selection } from '../records/bulk.ts';

const kind = { noun: 'reports', source: reportFileSource } as const;

/**
 * Deletes these reports at once, however many were named, or all that match; of those, too many for a request become a
 * job (contract, `mostAtOnce`).
 */
export async function deleteSelected(
  trx: OrganizationTransaction,
  caller: Caller,
  selection: Selection,
): Promise<{ job: JobRow; deleted?: never } | { job?: never; deleted: DeletedFiles }> {
  if (selection.ids === undefined) {
    const job = await deletionJob(trx, kind, { caller, selection });
    if (job) return { job };
  }
  const ids = selection.ids ?? (await idsOfAll(trx, kind.source, selected(kind.source, selection)));
  const deleted = await deleteFiles(trx, { ids });
  for (const { id, name, dropped } of deleted.files)
    await recordActivity(trx, caller, {
      action: 'report.deleted',
      nounId: id,
      name,
      detail: { ...dropped },
    });
  return { deleted };
}
