import { type JobPayload, mostAtOnce } from '@riskboard/contract';
import {
  type BulkChange,
  count,
  deleteRecords,
  type FilterInput,
  type DeletedRow,
  idsOfAll,
  insertJob,
  type JobRow,
  type ListSource,
  lockAssets,
  type OrganizationTransaction,
  restoreRecords,
  selected,
  setScoreContext,
  selectJobs,
  updateRecords,
} from '@riskboard/db';
import { plural } from '@riskboard/domain';
import type { RawBuilder } from 'kysely';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { recordDeletion } from '../lib/activity/record-deletion.ts';
import type { Caller } from '../lib/security/caller.ts';
import type { RecordContext } from './kind.ts';

/** The rows that a request names: by id, or all that match. */
export interface Selection {
  ids?: string[] | undefined;
  filter?: FilterInput | undefined;
}

interface Bulk {
  caller: Caller;
  selection: Selection;
}

/** A list whose rows can be deleted together. */
interface BulkList {
  noun: JobPayload<'records.delete'>['noun'];
  source: ListSource;
  /** Whether the rows are too many to wait for; by default, more than `mostAtOnce`. */
  isMany?(trx: OrganizationTransaction, where: RawBuilder<boolean>): Promise<boolean>;
}

/** What a request deletes: a job where the rows are too many to wait for, else the deleted rows. */
export type Deletion<Deleted> = { job: JobRow; deleted?: never } | { job?: never; deleted: Deleted };

/** @returns the job that deletes them, when the rows are too many to wait for */
export async function deletionJob(
  trx: OrganizationTransaction,
  { noun, source, isMany: isManyOf }: BulkList,
  { caller, selection }: Bulk,
): Promise<JobRow | undefined> {
  const many = isManyOf?.(trx, selected(source, selection)) ?? isMany(trx, source, selection);
  if (!(await many)) return undefined;
  const payload = { noun, ...payloadOf(selection) };
  return jobRow(trx, await insertJob(trx, { ...jobOwner(caller), kind: 'records.delete', payload }));
}

/**
 * Deletes rows of a list with derived columns. The assets are locked before the rows are selected, so that none changes
 * in between.
 */
export async function deleteByIds<Deleted>(
  { trx, list }: { trx: OrganizationTransaction; list: BulkList },
  bulk: Bulk,
  work: (ids: string[]) => Promise<Deleted>,
): Promise<Deletion<Deleted>> {
  await lockAssets(trx);
  const job = await deletionJob(trx, list, bulk);
  if (job) return { job };
  return { deleted: await work(await idsOfAll(trx, list.source, selected(list.source, bulk.selection))) };
}

/** Deletes vulnerabilities or threats; unknown ids are ignored. */
export async function deleteSelected(
  { trx, rules }: RecordContext,
  { caller, selection }: Bulk,
): Promise<Deletion<DeletedRow[]>> {
  const { source, table } = rules;
  const noun = rules.entity.noun;
  const job = await deletionJob(trx, { noun, source }, { caller, selection });
  if (job) return { job };
  const where = selected(source, selection);
  const rows = await deleteRecords(trx, { table, where, by: caller.accountId });
  await recordMany({ trx, rules }, caller, { verb: 'deleted', rows });
  return { deleted: rows };
}

/** Restores deleted vulnerabilities or threats. */
export async function restoreSelected(
  { trx, rules }: RecordContext,
  caller: Caller,
  ids: string[],
): Promise<DeletedRow[]> {
  await lockAssets(trx);
  await setScoreContext(trx, { by: caller.accountId });
  const rows = await restoreRecords(trx, rules.table, ids);
  await recordMany({ trx, rules }, caller, { verb: 'restored', rows });
  return rows;
}

const recordMany = (
  { trx, rules: { entity } }: RecordContext,
  caller: Caller,
  { verb, rows }: { verb: 'deleted' | 'restored'; rows: DeletedRow[] },
): Promise<void> => recordDeletion(trx, caller, { action: `${entity.table}.${verb}`, labels: entity, rows });

/** @returns the job that makes the change, when the rows are too many to wait for */
export async function updateJob(
  { trx, rules }: RecordContext,
  { caller, selection, change }: Bulk & { change: BulkChange },
): Promise<JobRow | undefined> {
  if (!(await isMany(trx, rules.source, selection))) return undefined;
  const { columns, addAssets, removeAssets } = change;
  const payload = {
    noun: rules.entity.noun as JobPayload<'records.update'>['noun'],
    ...payloadOf(selection),
    change: { columns: { ...columns }, addAssets: [...addAssets], removeAssets: [...removeAssets] },
  };
  return jobRow(trx, await insertJob(trx, { ...jobOwner(caller), kind: 'records.update', payload }));
}

/** @returns how many rows were selected, and the ids of those that changed */
export async function updateSelected(
  { trx, rules }: RecordContext,
  { caller, selection, change }: Bulk & { change: BulkChange },
): Promise<{ matched: number; ids: string[] }> {
  const { entity, source, table } = rules;
  const where = selected(source, selection);
  const ids: string[] = [];
  const update = { table, where, change, by: caller.accountId };
  const { matched, changed, changes } = await updateRecords(trx, update, (batch) => void ids.push(...batch));
  if (changed > 0) {
    await recordActivity(trx, caller, {
      action: `${table}.updated-many`,
      nounId: null,
      name: plural(changed, entity.one, entity.many),
      detail: { count: changed, changes },
    });
  }
  return { matched, ids };
}

const isMany = async (
  trx: OrganizationTransaction,
  source: ListSource,
  selection: Selection,
): Promise<boolean> => (await count(trx, source, selected(source, selection))) > mostAtOnce;

const payloadOf = ({ ids, filter }: Selection) => (ids ? { ids } : { filter: { ...filter } });

const jobOwner = ({ organizationId, accountId }: Caller) => ({ organizationId, createdBy: accountId });

const jobRow = (trx: OrganizationTransaction, id: string): Promise<JobRow> =>
  selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow();
