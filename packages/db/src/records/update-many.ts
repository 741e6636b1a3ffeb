import type { Change } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { batchesOf } from '../rows-in-batches.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { manyRecordsLock } from '../locks/row-lock.ts';
import type { RecordTableName } from '../reports/assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { bulkChanges, type Moves } from './bulk-changes.ts';
import { addAssets, removeAssets } from './related-assets.ts';
import type { RelatedRecords, RelationChange } from './relate-records.ts';
import { setScoreContext } from './score-context.ts';
import {
  type ColumnValues,
  newVersion,
  recordFormer,
  setColumns,
  type Wanted,
  wantedOf,
} from './set-columns.ts';

/** What a bulk edit sets: columns by name, and relations. */
export interface BulkChange {
  columns: ColumnValues;
  addAssets: readonly string[];
  removeAssets: readonly string[];
  /** Of assets only: threats and vulnerabilities to relate and unrelate. */
  relations?: RelationChange;
}

export interface BulkUpdate {
  /** A condition on the row `r`. */
  where: RawBuilder<boolean>;
  change: BulkChange;
  by: string | null;
}

interface RecordUpdate extends BulkUpdate {
  table: RecordTableName;
}

export interface UpdatedMany {
  matched: number;
  /** How many of those did not have the requested values yet. */
  changed: number;
  /** Before and after of each changed field, for the activity log; empty when nothing changed. */
  changes: Record<string, Change>;
  /** Assets whose relations to the records changed. */
  assets: string[];
  /** Threats and vulnerabilities that changed with the assets. */
  records?: RelatedRecords[];
}

/** Called with the changed ids of each batch and the number of matched rows so far; throwing aborts. */
export type OnBatch = (changed: readonly string[], matched: number) => void;

/** The name of the asset relations in edited_fields. */
export const relatedAssetsField = 'related_assets';

/**
 * Sets the same values on many vulnerabilities or threats. A field that is set counts as edited: no extraction changes
 * it, and deleting a report keeps the record. Records that have the requested values already keep their version.
 */
export async function updateRecords(
  trx: OrganizationTransaction,
  { table, where, change, by }: RecordUpdate,
  onBatch: OnBatch = () => undefined,
): Promise<UpdatedMany> {
  if (change.addAssets.length + change.removeAssets.length > 0) {
    await lockAssets(trx);
    await setScoreContext(trx, { by });
  }
  await lockAssertions(trx);
  const wanted = wantedOf(table, change.columns);
  const former = new Map(wanted.map(({ field }) => [field, new Set<unknown>()]));
  const moves = { former, related: new Set<string>(), unrelated: new Set<string>() };
  let matched = 0;
  let changed = 0;
  const chosen = sql<{ id: string }>`
    select r.id from ${sql.table(table)} r where ${where} order by r.key, r.id
    ${manyRecordsLock(trx, 'no key update')}`;
  for await (const batch of batchesOf(trx, chosen)) {
    const ids = batch.map((row) => row.id);
    const touched = await updateBatch(trx, { table, ids, by, wanted, change, moves });
    matched += ids.length;
    changed += touched.length;
    onBatch(touched, matched);
  }
  const now = Object.fromEntries(wanted.map(({ field, value }) => [field, value]));
  const assets = [...new Set([...moves.related, ...moves.unrelated])];
  return { matched, changed, changes: await bulkChanges(trx, moves, now), assets };
}

type Ids = Pick<RecordUpdate, 'table' | 'by'> & { ids: string[] };
type Batch = Ids & { wanted: readonly Wanted[]; moves: Moves };

/** @returns ids of the records that changed */
async function updateBatch(
  trx: OrganizationTransaction,
  { change, ...batch }: Batch & { change: BulkChange },
): Promise<string[]> {
  const { table, ids, by, wanted, moves } = batch;
  await recordFormer(trx, batch, moves.former);
  const edited = wanted.map(({ name, differs }) => sql`case when ${differs} then ${name}::text end`);
  const set = await setColumns(trx, batch, edit(by, sql`array[${sql.join(edited)}]::text[]`));
  const related = await addAssets(trx, { table, ids, assets: change.addAssets });
  const unrelated = await removeAssets(trx, { table, ids, assets: change.removeAssets });
  for (const id of related.assets) moves.related.add(id);
  for (const id of unrelated.assets) moves.unrelated.add(id);
  const counted = new Set(set);
  const moved = [...new Set([...related.records, ...unrelated.records])].filter((id) => !counted.has(id));
  await touchRelated(trx, { table, ids: moved, version: newVersion(by) });
  return [...set, ...moved];
}

interface Touched {
  table: RecordTableName;
  ids: readonly string[];
  /** The assignments of the new version. */
  version: RawBuilder<unknown>;
}

/**
 * Writes a new version of records whose relations changed. The relations of a record that a report asserts count as
 * edited while there are any: reports bring none.
 */
export async function touchRelated(
  trx: OrganizationTransaction,
  { table, ids, version }: Touched,
): Promise<void> {
  if (ids.length === 0) return;
  const link = sql.ref(`${table}_id`);
  const isRestored = sql`not exists (
      select from ${sql.table(`${table}_asset`)} l
      where l.organization_id = current_organization() and l.${link} = r.id)
    and exists (
      select from report_record s
      where s.organization_id = current_organization() and s.${link} = r.id and s.state = 'active')`;
  await sql`
    update ${sql.table(table)} r set ${version},
      edited_fields = case
        when r.key is null then r.edited_fields
        when ${isRestored} then array_remove(r.edited_fields, ${relatedAssetsField})
        else ${withFields(sql`array[${relatedAssetsField}]`)} end
    where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])`.execute(trx);
}

/** The edited fields of row `r` and these. */
const withFields = (fields: RawBuilder<unknown>): RawBuilder<unknown> => sql`array(
    select unnest(r.edited_fields) union select field from unnest(${fields}::text[]) field where field is not null
    order by 1)`;

/** The new version of row `r`; on an imported record these fields count as edited. */
const edit = (by: string | null, fields: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  ${newVersion(by)},
  edited_fields = case when r.key is null then r.edited_fields else ${withFields(fields)} end`;
