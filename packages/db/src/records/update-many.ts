import type { Change } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { lockAssertions, type RecordTableName } from '../assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { holdAssets } from './lock-assets.ts';
import { bulkChanges, formerShown, type Moves } from './bulk-changes.ts';
import { addAssets, removeAssets } from './related-assets.ts';
import { turnsOf } from './turns-of.ts';

/** What a bulk edit sets: columns by name, relations besides. */
export interface BulkChange {
  columns: Readonly<Record<string, string | number | boolean | null>>;
  addAssets: readonly string[];
  removeAssets: readonly string[];
}

interface Update {
  table: RecordTableName;
  /** Which, in terms of the row `r`. */
  where: RawBuilder<boolean>;
  change: BulkChange;
  by: string | null;
}

interface UpdatedMany {
  matched: number;
  /** How many of those were not as asked already. */
  changed: number;
  /** What changed, as the log tells it; of nothing, empty. */
  changes: Record<string, Change>;
}

/** How edited_fields names the relations, which are no column. */
export const relatedAssetsField = 'related_assets';

/** Columns that a bulk edit may set, with their types and what people know them by. The names become SQL. */
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
 * Sets the same on many vulnerabilities or threats at once. A field that is set counts as a person's: no extraction
 * changes it, and no deletion of a report takes the record. Those that are as asked already are left alone, version
 * included. They take turns with extractions and deletions, which lock the same records in orders of their own.
 * @param onTurn told of the ids that changed and how many were looked at, turn by turn; what it throws ends the edit
 */
export async function updateRecords(
  trx: OrganizationTransaction,
  { table, where, change, by }: Update,
  onTurn: (changed: readonly string[], matched: number) => void = () => undefined,
): Promise<UpdatedMany> {
  await holdAssets(trx);
  await lockAssertions(trx);
  const wanted = wantedOf(table, change.columns);
  const former = new Map(wanted.map(({ field }) => [field, new Set<unknown>()]));
  const moves = { former, tied: new Set<string>(), untied: new Set<string>() };
  let matched = 0;
  let changed = 0;
  const chosen = sql<{ id: string }>`
    select r.id from ${sql.table(table)} r where ${where} order by r.key, r.id for update`;
  for await (const turn of turnsOf(trx, chosen)) {
    const ids = turn.map((row) => row.id);
    const touched = await updateTurn(trx, { table, ids, by, wanted, change, moves });
    matched += ids.length;
    changed += touched.length;
    onTurn(touched, matched);
  }
  const now = Object.fromEntries(wanted.map(({ field, value }) => [field, value]));
  return { matched, changed, changes: await bulkChanges(trx, moves, now) };
}

/** A column that is to be set. */
interface Wanted {
  name: string;
  field: string;
  value: unknown;
  asked: RawBuilder<unknown>;
  differs: RawBuilder<boolean>;
}

const wantedOf = (table: RecordTableName, columns: BulkChange['columns']): Wanted[] =>
  Object.entries(columns).map(([name, value]) => {
    const known = settable[table][name];
    if (known === undefined) throw new Error(`${name} cannot be set in bulk`);
    const asked = sql`${value}::${sql.raw(known.type)}`;
    const differs = sql<boolean>`${sql.ref(`r.${name}`)} is distinct from ${asked}`;
    return { name, field: known.field, value, asked, differs };
  });

type Ids = Pick<Update, 'table' | 'by'> & { ids: string[] };
type Turn = Ids & { wanted: readonly Wanted[]; moves: Moves };

/** @returns ids of those that were not as asked */
async function updateTurn(
  trx: OrganizationTransaction,
  { change, ...turn }: Turn & { change: BulkChange },
): Promise<string[]> {
  const { table, ids, by, moves } = turn;
  await noteFormer(trx, turn);
  const set = await setColumns(trx, turn);
  const tied = await addAssets(trx, { table, ids, assets: change.addAssets });
  const untied = await removeAssets(trx, { table, ids, assets: change.removeAssets });
  for (const id of tied.assets) moves.tied.add(id);
  for (const id of untied.assets) moves.untied.add(id);
  const counted = new Set(set);
  const moved = [...new Set([...tied.records, ...untied.records])].filter((id) => !counted.has(id));
  await touch(trx, { table, ids: moved, by });
  return [...set, ...moved];
}

/** What the fields hold that are about to change. */
async function noteFormer(trx: OrganizationTransaction, { table, ids, wanted, moves }: Turn): Promise<void> {
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

/** All columns in one statement: one change, one version. @returns ids of those that were not as asked */
async function setColumns(
  trx: OrganizationTransaction,
  { table, ids, by, wanted }: Omit<Turn, 'moves'>,
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const edited = wanted.map(({ name, differs }) => sql`case when ${differs} then ${name}::text end`);
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} r set
      ${sql.join(wanted.map(({ name, asked }) => sql`${sql.ref(name)} = ${asked}`))},
      ${edit(by, sql`array[${sql.join(edited)}]`)}
    where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])
      and (${sql.join(
        wanted.map(({ differs }) => differs),
        sql` or `,
      )})
    returning r.id`.execute(trx);
  return rows.map((row) => row.id);
}

/** Marks records whose relations changed. */
async function touch(trx: OrganizationTransaction, { table, ids, by }: Ids): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update ${sql.table(table)} r set ${edit(by, sql`array[${relatedAssetsField}]`)}
    where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])`.execute(trx);
}

/** A person's change of row `r`: these fields are theirs if a report gave the record. */
const edit = (by: string | null, fields: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  version = r.version + 1, updated_at = now(), updated_by = ${by}::uuid,
  edited_fields = case when r.key is null then r.edited_fields else array(
    select unnest(r.edited_fields) union select field from unnest(${fields}::text[]) field where field is not null
    order by 1) end`;
