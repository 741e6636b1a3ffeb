import { type JobPayload, mostAtOnce } from '@riskboard/contract';
import {
  type BulkChange,
  count,
  deleteRecords,
  type FilterInput,
  idsOfAll,
  insertJob,
  type JobRow,
  type ListSource,
  lockAssets,
  type DeletedRow,
  type OrganizationTransaction,
  restoreRecords,
  selected,
  selectJobs,
  updateRecords,
} from '@riskboard/db';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { plural } from '../lib/plural.ts';
import type { RecordContext } from './kind.ts';

/** The rows that are meant: by id, or all that match. */
export interface Selection {
  ids?: string[] | undefined;
  filter?: FilterInput | undefined;
}

interface Bulk {
  caller: Caller;
  selection: Selection;
}

/** A list whose rows can be worked on together. */
interface BulkKind {
  noun: JobPayload<'records.delete'>['noun'];
  source: ListSource;
}

/** More rows than a request should hold its caller up for are deleted by a job. */
export async function asJob(
  { trx, kind }: { trx: OrganizationTransaction; kind: BulkKind },
  { caller, selection }: Bulk,
): Promise<JobRow | undefined> {
  if (!(await isMany(trx, kind.source, selection))) return undefined;
  const payload = { noun: kind.noun, ...asked(selection) };
  return jobRow(trx, await insertJob(trx, { ...by(caller), kind: 'records.delete', payload }));
}

/**
 * What a list of derived columns asks to delete: by a job, or at once by the ids that match. Assets are locked before
 * they are looked for, so that none changes between the two.
 */
export async function nowOrLater<Gone>(
  { trx, kind }: { trx: OrganizationTransaction; kind: BulkKind },
  { caller, selection }: Bulk,
  work: (ids: string[]) => Promise<Gone>,
): Promise<{ job: JobRow; gone?: never } | { job?: never; gone: Gone }> {
  await lockAssets(trx);
  const job = await asJob({ trx, kind }, { caller, selection });
  if (job) return { job };
  return { gone: await work(await idsOfAll(trx, kind.source, selected(kind.source, selection))) };
}

/** Likewise, where they are changed. */
export async function asUpdateJob(
  { trx, kind }: RecordContext,
  { caller, selection, change }: Bulk & { change: BulkChange },
): Promise<JobRow | undefined> {
  if (!(await isMany(trx, kind.source, selection))) return undefined;
  const { columns, addAssets, removeAssets } = change;
  const payload = {
    noun: kind.noun,
    ...asked(selection),
    change: { columns: { ...columns }, addAssets: [...addAssets], removeAssets: [...removeAssets] },
  };
  return jobRow(trx, await insertJob(trx, { ...by(caller), kind: 'records.update', payload }));
}

const isMany = async (
  trx: OrganizationTransaction,
  source: ListSource,
  selection: Selection,
): Promise<boolean> => (await count(trx, source, selected(source, selection))) > mostAtOnce;

const asked = ({ ids, filter }: Selection) => (ids ? { ids } : { filter: { ...filter } });

const by = ({ organizationId, accountId }: Caller) => ({ organizationId, createdBy: accountId });

const jobRow = (trx: OrganizationTransaction, id: string): Promise<JobRow> =>
  selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow();

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
  { verb, records }: { verb: 'deleted' | 'restored'; records: DeletedRow[] },
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

/** @returns how many were meant, and the ids of those that were not as asked already */
export async function updateNow(
  { trx, kind }: RecordContext,
  { caller, selection, change }: Bulk & { change: BulkChange },
): Promise<{ matched: number; ids: string[] }> {
  const where = selected(kind.source, selection);
  const ids: string[] = [];
  const update = { table: kind.table, where, change, by: caller.accountId };
  const { matched, changed, changes } = await updateRecords(trx, update, (turn) => void ids.push(...turn));
  if (changed > 0) {
    await recordActivity(trx, caller, {
      action: `${kind.table}.updated-many`,
      noun: kind.noun,
      nounId: null,
      name: plural(changed, kind.words),
      detail: { count: changed, changes },
    });
  }
  return { matched, ids };
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
