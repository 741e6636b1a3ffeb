import { mostReportsAtOnce } from '@riskboard/contract';
import {
  deleteFiles,
  type DeletedFiles,
  idsOfAll,
  interruptRuns,
  type JobRow,
  type OrganizationTransaction,
  reportFileSource,
  waitForRuns,
} from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import { recordActivity } from '../../lib/activity/record-activity.ts';
import type { Caller } from '../../lib/security/caller.ts';
import { deletionJob, type RequestedRows, selectionOf, whereSelected } from '../../records/bulk.ts';

const list = {
  noun: 'reports',
  source: reportFileSource,
  async isMany(trx: OrganizationTransaction, where: RawBuilder<boolean>): Promise<boolean> {
    const { rows } = await sql<{ files: number; objects: number }>`
      select count(*)::int as files, coalesce(sum(r.object_count), 0)::int as objects
      from ${sql.raw(reportFileSource.from)} where ${where}`.execute(trx);
    const { files, objects } = rows[0] ?? { files: 0, objects: 0 };
    return files > mostReportsAtOnce.files || objects > mostReportsAtOnce.objects;
  },
} as const;

interface Prepared {
  ids: readonly string[];
  interrupted: JobRow[];
}

/**
 * Interrupts the runs that hold the selected reports, in a transaction of its own before `deleteReports`. Too many reports
 * to wait for become a job (contract, `mostReportsAtOnce`).
 */
export async function prepareDeletion(
  trx: OrganizationTransaction,
  caller: Caller,
  requested: RequestedRows,
): Promise<{ job: JobRow; prepared?: never } | { job?: never; prepared: Prepared }> {
  const selection = await selectionOf(trx, list.source, requested);
  const job = await deletionJob(trx, list, { caller, selection });
  if (job) return { job };
  const ids = selection.ids ?? (await idsOfAll(trx, list.source, whereSelected(list.source, selection)));
  return { prepared: { ids, interrupted: await interruptRuns(trx, ids) } };
}

/** Deletes reports with their jobs, and records the activity; unknown ids are ignored. */
export async function deleteReports(
  trx: OrganizationTransaction,
  caller: Caller,
  ids: readonly string[],
): Promise<DeletedFiles> {
  await waitForRuns(trx);
  const deleted = await deleteFiles(trx, { ids });
  for (const { id, name, dropped } of deleted.files)
    await recordActivity(trx, caller, {
      action: 'report.deleted',
      nounId: id,
      name,
      detail: { ...dropped },
    });
  return deleted;
}
