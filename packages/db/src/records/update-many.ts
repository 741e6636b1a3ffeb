import type { Change } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { batchesOf } from '../batches.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { manyRecordsLock } from '../locks/row-lock.ts';
import type { RecordTableName } from '../reports/assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { bulkChanges, formerShown, type Moves } from './bulk-changes.ts';
import { addAssets, removeAssets } from './related-assets.ts';
import { setScoreContext } from './score-context.ts';

/** What a bulk edit sets: columns by name, and relations. */
export interface BulkChange {
  columns: Readonly<Record<string, string | number | boolean | null>>;
  addAssets: readonly string[];
  removeAssets: readonly string[];
}

interface Update {
  table: RecordTableName;
  /** A condition on the row `r`. */
  where: RawBuilder<boolean>;
  change: BulkChange;
  by: string | null;
}

interface UpdatedMany {
  matched: number;
  /** How many of those did not have the requested values yet. */
  changed: number;
  /** Before and after of each changed field, for the activity log; empty when nothing changed. */
  changes: Record<string, Change>;
}

/** The name of the asset relations in edited_fields. */
export const relatedAssetsField = 'related_assets';

/** Columns that a bulk edit may set, with their types and field names. The names become SQL. */
const settable: Record<RecordTableName, Readonly<Record<string, { type: string; field: string }>>> = {
  vulnerability: {
    status: { type: 'text', field: 'status' },
    category_id: { type: 'integer', field: 'categoryId' },
  },
  threat: {
    is_active: { type: 'boolean', field: 'isActive' },
    threat_type_id: { type: 'integer', field: 'threatTypeId' },
    threat_category: { type: 'text', field: 'threatCategory' },
  },
};

/**
 * Sets the same values on many vulnerabilities or threats. A field that is set counts as edited: no extraction changes
 * it, and deleting a report keeps the record. Records that have the requested values already keep their version.
 * @param onBatch called with the changed ids of each batch and the number of matched records so far; throwing aborts
 */
export async function updateRecords(
  trx: OrganizationTransaction,
  { table, where, change, by }: Update,
  onBatch: (changed: readonly string[], matched: number) => void = () => undefined,
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
  return { matched, changed, changes: await bulkChanges(trx, moves, now) };
}

/** A column to set. */
interface Wanted {
  name: string;
  field: string;
  value: unknown;
  requested: RawBuilder<unknown>;
  differs: RawBuilder<boolean>;
}

const wantedOf = (table: RecordTableName, columns: BulkChange['columns']): Wanted[] =>
  Object.entries(columns).map(([name, value]) => {
    const known = settable[table][name];
    if (known === undefined) throw new Error(`${name} cannot be set in bulk`);
    const requested = sql`${value}::${sql.raw(known.type)}`;
    const differs = sql<boolean>`${sql.ref(`r.${name}`)} is distinct from ${requested}`;
    return { name, field: known.field, value, requested, differs };
  });

type Ids = Pick<Update, 'table' | 'by'> & { ids: string[] };
type Batch = Ids & { wanted: readonly Wanted[]; moves: Moves };

/** @returns ids of the records that changed */
async function updateBatch(
  trx: OrganizationTransaction,
  { change, ...batch }: Batch & { change: BulkChange },
): Promise<string[]> {
  const { table, ids, by, moves } = batch;
  await recordFormer(trx, batch);
  const set = await setColumns(trx, batch);
  const related = await addAssets(trx, { table, ids, assets: change.addAssets });
  const unrelated = await removeAssets(trx, { table, ids, assets: change.removeAssets });
  for (const id of related.assets) moves.related.add(id);
  for (const id of unrelated.assets) moves.unrelated.add(id);
  const counted = new Set(set);
  const moved = [...new Set([...related.records, ...unrelated.records])].filter((id) => !counted.has(id));
  await touch(trx, { table, ids: moved, by });
  return [...set, ...moved];
}

/** Collects the former values of the fields that are about to change. */
async function recordFormer(
  trx: OrganizationTransaction,
  { table, ids, wanted, moves }: Batch,
): Promise<void> {
  for (const { name, field, differs } of wanted) {
    const values = moves.former.get(field) ?? new Set();
    if (values.size > formerShown) continue;
    const { rows } = await sql<{ value: unknown }>`
      select distinct ${sql.ref(`r.${name}`)} as value from ${sql.table(table)} r
      where r.organization_id = current_organization() and r.id = any (${ids}::uuid[]) and ${differs}
      order by value limit ${formerShown + 1}`.execute(trx);
    for (const { value } of rows) values.add(value);
  }
}

/** All columns in one statement: one change, one version. @returns ids of the records that changed */
async function setColumns(
  trx: OrganizationTransaction,
  { table, ids, by, wanted }: Omit<Batch, 'moves'>,
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const edited = wanted.map(({ name, differs }) => sql`case when ${differs} then ${name}::text end`);
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} r set
      ${sql.join(wanted.map(({ name, requested }) => sql`${sql.ref(name)} = ${requested}`))},
      ${edit(by, sql`array[${sql.join(edited)}]`)}
    where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])
      and (${sql.join(
        wanted.map(({ differs }) => differs),
        sql` or `,
      )})
    returning r.id`.execute(trx);
  return rows.map((row) => row.id);
}

/** Writes a new version of records whose relations changed. */
async function touch(trx: OrganizationTransaction, { table, ids, by }: Ids): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update ${sql.table(table)} r set ${edit(by, sql`array[${relatedAssetsField}]`)}
    where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])`.execute(trx);
}

/** The new version of row `r`; on an imported record these fields count as edited. */
const edit = (by: string | null, fields: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  version = r.version + 1, updated_at = now(), updated_by = ${by}::uuid,
  edited_fields = case when r.key is null then r.edited_fields else array(
    select unnest(r.edited_fields) union select field from unnest(${fields}::text[]) field where field is not null
    order by 1) end`;
