import { mostAtOnce } from '@riskboard/contract';
import {
  type BulkChange,
  count,
  deleteRecords,
  type FilterInput,
  insertJob,
  type JobRow,
  restoreRecords,
  selected,
  selectJobs,
  updateRecords,
  type UpdatedMany,
} from '@riskboard/db';
import { recordActivity } from '../lib/activity.ts';
import type { Caller } from '../lib/caller.ts';
import { plural } from '../lib/plural.ts';
import type { RecordContext, Values } from './kind.ts';

/** The rows that are meant: by id, or all that match. */
export interface Selection {
  ids?: string[] | undefined;
  filter?: FilterInput | undefined;
}

interface Bulk {
  caller: Caller;
  selection: Selection;
}

/** More rows than a request should hold its caller up for become a job. */
export async function asJob(
  { trx, kind }: RecordContext,
  { caller, selection, change }: Bulk & { change?: Values },
): Promise<JobRow | undefined> {
  const where = selected(kind.source, selection);
  if ((await count(trx, kind.source, where)) <= mostAtOnce) return undefined;
  const payload = {
    noun: kind.noun,
    ...(selection.ids ? { ids: selection.ids } : { filter: { ...selection.filter } }),
  };
  const common = { organizationId: caller.organizationId, createdBy: caller.accountId };
  const id = change
    ? await insertJob(trx, { ...common, kind: 'records.update', payload: { ...payload, change } })
    : await insertJob(trx, { ...common, kind: 'records.delete', payload });
  return selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow();
}

/** Deletes at once; unknown ids are passed over. @returns the ids that are gone */
export async function deleteNow(
  { trx, kind }: RecordContext,
  { caller, selection }: Bulk,
): Promise<string[]> {
  const where = selected(kind.source, selection);
  const ids = await deleteRecords(trx, { table: kind.table, where, by: caller.accountId });
  if (ids.length > 0) {
    await recordActivity(trx, caller, {
      action: `${kind.table}.deleted`,
      noun: kind.noun,
      nounId: ids.length === 1 ? (ids[0] ?? null) : null,
      name: plural(ids.length, kind.words),
      detail: { count: ids.length },
    });
  }
  return ids;
}

export async function updateNow(
  { trx, kind }: RecordContext,
  { caller, selection, change }: Bulk & { change: BulkChange },
): Promise<UpdatedMany> {
  const where = selected(kind.source, selection);
  const updated = await updateRecords(trx, { table: kind.table, where, change, by: caller.accountId });
  if (updated.changed.length > 0) {
    await recordActivity(trx, caller, {
      action: `${kind.table}.updated-many`,
      noun: kind.noun,
      nounId: null,
      name: plural(updated.changed.length, kind.words),
      detail: { count: updated.changed.length, set: change.columns },
    });
  }
  return updated;
}

/** @returns the ids that are back */
export async function restoreNow(
  { trx, kind }: RecordContext,
  caller: Caller,
  ids: string[],
): Promise<string[]> {
  const back = await restoreRecords(trx, kind.table, ids);
  if (back.length > 0) {
    await recordActivity(trx, caller, {
      action: `${kind.table}.restored`,
      noun: kind.noun,
      nounId: back.length === 1 ? (back[0] ?? null) : null,
      name: plural(back.length, kind.words),
      detail: { count: back.length },
    });
  }
  return back;
}
