import { type RawBuilder, sql } from 'kysely';
import { lockAssertions, type RecordTableName } from '../assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { holdAssets } from './lock-assets.ts';
import { addAssets, removeAssets } from './related-assets.ts';

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

export interface UpdatedMany {
  matched: number;
  /** Ids of those that were not as asked already. */
  changed: string[];
}

/** How edited_fields names the relations, which are no column. */
export const relatedAssetsField = 'related_assets';

/** Columns that a bulk edit may set, with their types. The names become SQL. */
const settable: Record<RecordTableName, Readonly<Record<string, string>>> = {
  vulnerability: { status: 'text', category_id: 'integer' },
  threat: { is_active: 'boolean', threat_type_id: 'integer', threat_category: 'text' },
};

/**
 * Sets the same on many vulnerabilities or threats at once. A field that is set counts as a person's: no extraction
 * changes it, and no deletion of a report takes the record. Those that are as asked already are left alone, version
 * included. They take turns with extractions and deletions, which lock the same records in orders of their own.
 */
export async function updateRecords(
  trx: OrganizationTransaction,
  { table, where, change, by }: Update,
): Promise<UpdatedMany> {
  await holdAssets(trx);
  await lockAssertions(trx);
  const { rows } = await sql<{ id: string }>`
    select r.id from ${sql.table(table)} r where ${where} order by r.key, r.id for update`.execute(trx);
  const ids = rows.map((row) => row.id);
  const set = await setColumns(trx, { table, ids, columns: change.columns, by });
  const tied = await addAssets(trx, { table, ids, assets: change.addAssets });
  const untied = await removeAssets(trx, { table, ids, assets: change.removeAssets });
  const counted = new Set(set);
  const moved = [...new Set([...tied, ...untied])].filter((id) => !counted.has(id));
  await touch(trx, { table, ids: moved, by });
  return { matched: ids.length, changed: [...set, ...moved] };
}

type Ids = Pick<Update, 'table' | 'by'> & { ids: string[] };

/** All columns in one statement: one change, one version. @returns ids of those that were not as asked */
async function setColumns(
  trx: OrganizationTransaction,
  { table, ids, columns, by }: Ids & { columns: BulkChange['columns'] },
): Promise<string[]> {
  const wanted = Object.entries(columns).map(([name, value]) => {
    const type = settable[table][name];
    if (type === undefined) throw new Error(`${name} cannot be set in bulk`);
    const column = sql.ref(`r.${name}`);
    const asked = sql`${value}::${sql.raw(type)}`;
    return { name, asked, differs: sql<boolean>`${column} is distinct from ${asked}` };
  });
  if (ids.length === 0 || wanted.length === 0) return [];
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
