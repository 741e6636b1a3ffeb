import { type Entity, type JobPayload, mostAtOnce, mostRelationsAtOnce } from '@riskboard/contract';
import {
  type BulkChange,
  type BulkUpdate,
  count,
  assetsOf,
  deleteRecordsInBatches,
  existedAt,
  type FilterInput,
  type DeletedRow,
  idsOfAll,
  insertJob,
  type JobRow,
  type ListSource,
  lockAssets,
  type OnBatch,
  type OrganizationTransaction,
  type RecordIds,
  type RelatedRecords,
  restoreRecords,
  runningTransactions,
  selected,
  setScoreContext,
  selectJobs,
  type UpdatedMany,
} from '@riskboard/db';
import { plural } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { recordDeletion } from '../lib/activity/record-deletion.ts';
import type { Values } from '../lib/columns.ts';
import type { Caller } from '../lib/security/caller.ts';
import type { RecordContext } from './entity-rules.ts';
import { bulkRelationsOf, recordRelated } from './related-records.ts';

/** The rows that a request names: by id, or all that match. */
export interface RequestedRows {
  ids?: string[] | undefined;
  filter?: FilterInput | undefined;
}

/** The same, and which rows that match existed at the request; as the payload of a job holds it. */
export type Selection =
  | { ids: string[]; filter?: undefined; runningTransactions?: undefined }
  | { ids?: undefined; filter: Record<string, unknown>; runningTransactions: string[] };

/**
 * The rows of a request, as the first step of its transaction: rows of an import that is running are not part of it, also
 * when it ends while the request or its job waits for a lock.
 * @throws UnlimitedFilter
 */
export async function selectionOf(
  trx: OrganizationTransaction,
  source: ListSource,
  requested: RequestedRows,
): Promise<Selection> {
  const { ids, filter } = requested;
  if (ids) return { ids };
  selected(source, requested);
  return { filter: { ...filter }, runningTransactions: await runningTransactions(trx) };
}

/** The condition of the rows that a request selects. */
export function whereSelected(source: ListSource, selection: Selection): RawBuilder<boolean> {
  const rows = selected(source, selection);
  if (selection.ids) return rows;
  return sql`${rows} and ${existedAt(source, { at: sql`now()`, ...selection })}`;
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
  const many = isManyOf?.(trx, whereSelected(source, selection)) ?? isMany(trx, source, selection);
  return (await many) ? insertDeletion(trx, noun, { caller, selection }) : undefined;
}

async function insertDeletion(
  trx: OrganizationTransaction,
  noun: BulkList['noun'],
  { caller, selection }: Bulk,
): Promise<JobRow> {
  const payload = { noun, ...selection };
  return jobRow(trx, await insertJob(trx, { ...jobOwner(caller), kind: 'records.delete', payload }));
}

/** Assets, or a list whose rows are deleted with their assets. */
interface AssetList extends BulkList {
  /** The column of an asset that has the id of the row. */
  assetsBy: 'id' | 'project_id';
}

/**
 * Deletes rows of a list by `work`, which gets their ids. The assets are locked before the rows are selected, so that none changes
 * in between.
 */
export async function deleteRows<Deleted>(
  { trx, list }: { trx: OrganizationTransaction; list: AssetList },
  bulk: Bulk,
  work: (ids: string[]) => Promise<Deleted>,
): Promise<Deletion<Deleted>> {
  await lockAssets(trx);
  const job = await deletionJob(trx, list, bulk);
  if (job) return { job };
  const ids = await idsOfAll(trx, list.source, whereSelected(list.source, bulk.selection));
  return (await haveManyRelations(trx, list.assetsBy, ids))
    ? { job: await insertDeletion(trx, list.noun, bulk) }
    : { deleted: await work(ids) };
}

/** Records that were deleted or restored, and the assets that they are related to. */
interface MovedRecords {
  rows: DeletedRow[];
  assets: string[];
}

/** Deletes vulnerabilities or threats; unknown ids are ignored. */
export async function deleteRecords(
  { trx, rules }: RecordContext,
  { caller, selection }: Bulk,
): Promise<Deletion<MovedRecords>> {
  const { source, table } = rules;
  const noun = rules.entity.noun;
  const job = await deletionJob(trx, { noun, source }, { caller, selection });
  if (job) return { job };
  const where = whereSelected(source, selection);
  const rows: DeletedRow[] = [];
  const deletion = { table, where, by: caller.accountId };
  const assets = await deleteRecordsInBatches(trx, deletion, (batch) => void rows.push(...batch));
  await recordMany({ trx, rules }, caller, { verb: 'deleted', rows });
  return { deleted: { rows, assets } };
}

/** Restores deleted vulnerabilities or threats. */
export async function restoreSelected(
  { trx, rules }: RecordContext,
  caller: Caller,
  ids: string[],
): Promise<MovedRecords> {
  await lockAssets(trx);
  await setScoreContext(trx, { by: caller.accountId });
  const rows = await restoreRecords(trx, rules.table, ids);
  await recordMany({ trx, rules }, caller, { verb: 'restored', rows });
  const restored = { table: rules.table, ids: rows.map(({ id }) => id) };
  return { rows, assets: await assetsOf(trx, restored) };
}

const recordMany = (
  { trx, rules: { entity } }: RecordContext,
  caller: Caller,
  { verb, rows }: { verb: 'deleted' | 'restored'; rows: DeletedRow[] },
): Promise<void> => recordDeletion(trx, caller, { action: `${entity.table}.${verb}`, labels: entity, rows });

/** A list whose rows can be edited together. */
export interface UpdatableList {
  entity: Entity & { noun: JobPayload<'records.update'>['noun'] };
  source: ListSource;
  /** What must hold before rows are selected; takes the locks that come before them. @throws Failure 422 */
  prepare(trx: OrganizationTransaction, change: BulkChange): Promise<void>;
  update(trx: OrganizationTransaction, update: BulkUpdate, onBatch: OnBatch): Promise<UpdatedMany>;
}

/** What a bulk edit did: a job where the rows are too many to wait for, else the ids of the changed rows. */
type Edited =
  | { job: JobRow; updated?: never }
  | {
      job?: never;
      updated: { matched: number; ids: string[]; assets: string[]; records: RelatedRecords[] };
    };

/** Sets the same values on the selected rows. @throws Failure 422 */
export async function updateSelected(
  trx: OrganizationTransaction,
  list: UpdatableList,
  { caller, selection, input }: Bulk & { input: Values },
): Promise<Edited> {
  const { entity, source } = list;
  const change = bulkChangeOf(entity, input);
  await list.prepare(trx, change);
  if (await isMany(trx, source, selection)) {
    const payload = { noun: entity.noun, ...selection, change: jobChange(change) };
    const id = await insertJob(trx, { ...jobOwner(caller), kind: 'records.update', payload });
    return { job: await jobRow(trx, id) };
  }
  const ids: string[] = [];
  const update = { where: whereSelected(source, selection), change, by: caller.accountId };
  const {
    matched,
    changed,
    changes,
    assets,
    records = [],
  } = await list.update(trx, update, (batch) => void ids.push(...batch));
  await recordRelated(trx, caller, records);
  if (changed > 0) {
    await recordActivity(trx, caller, {
      action: `${entity.table}.updated-many` as 'asset.updated-many',
      nounId: null,
      name: plural(changed, entity.one, entity.many),
      detail: { count: changed, changes },
    });
  }
  return { updated: { matched, ids, assets, records } };
}

const idsOfBoth = ({ threats, vulnerabilities }: RecordIds) => ({
  threats: [...threats],
  vulnerabilities: [...vulnerabilities],
});

const jobChange = ({ columns, addAssets, removeAssets, relations }: BulkChange) => ({
  columns: { ...columns },
  addAssets: [...addAssets],
  removeAssets: [...removeAssets],
  ...(relations && {
    relations: { add: idsOfBoth(relations.add), remove: idsOfBoth(relations.remove) },
  }),
});

/** The columns of the fields that may be set in bulk, and the relations. */
function bulkChangeOf({ fields }: Entity, change: Values): BulkChange {
  const columns = Object.entries(fields).flatMap(([name, { bulk, column }]) =>
    bulk && column !== null && change[name] !== undefined ? [[column, change[name]]] : [],
  );
  const relations = bulkRelationsOf(change);
  return {
    columns: Object.fromEntries(columns) as BulkChange['columns'],
    addAssets: (change['addAssets'] ?? []) as string[],
    removeAssets: (change['removeAssets'] ?? []) as string[],
    ...(relations && { relations }),
  };
}

const isMany = async (
  trx: OrganizationTransaction,
  source: ListSource,
  selection: Selection,
): Promise<boolean> => (await count(trx, source, whereSelected(source, selection))) > mostAtOnce;

/**
 * Whether the vulnerabilities that are related to these assets are too many to wait for: a deletion writes the row of each,
 * which counts its assets, with an entry in most indexes of its list.
 */
async function haveManyRelations(
  trx: OrganizationTransaction,
  column: AssetList['assetsBy'],
  ids: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from asset where organization_id = current_organization() and ${sql.ref(column)} = any (${ids}::uuid[])
    having sum(vulnerability_count) > ${mostRelationsAtOnce}`.execute(trx);
  return rows.length > 0;
}

const jobOwner = ({ organizationId, accountId }: Caller) => ({ organizationId, createdBy: accountId });

const jobRow = (trx: OrganizationTransaction, id: string): Promise<JobRow> =>
  selectJobs(trx).where('job.id', '=', id).executeTakeFirstOrThrow();
