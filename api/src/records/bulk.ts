import { mostAtOnce } from '@riskboard/contract';
import {
  type BulkChange,
  count,
  deleteRecords,
  type FilterInput,
  insertJob,
  type JobRow,
  type NamedRecord,
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
  const gone = await deleteRecords(trx, { table: kind.table, where, by: caller.accountId });
  await recordMany({ trx, kind }, caller, { verb: 'deleted', records: gone });
  return gone.map((record) => record.id);
}

/** One is logged by its name, several as so many. */
async function recordMany(
  { trx, kind }: RecordContext,
  caller: Caller,
  { verb, records }: { verb: 'deleted' | 'restored'; records: NamedRecord[] },
): Promise<void> {
  const [first, ...others] = records;
  if (!first) return;
  const alone = others.length === 0;
  await recordActivity(trx, caller, {
    action: `${kind.table}.${verb}`,
    noun: kind.noun,
    nounId: alone ? first.id : null,
    name: alone ? first.name : plural(records.length, kind.words),
    detail: { count: records.length },
  });
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
  await recordMany({ trx, kind }, caller, { verb: 'restored', records: back });
  return back.map((record) => record.id);
}
