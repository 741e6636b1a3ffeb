import { type RawBuilder, sql } from 'kysely';
import type { RecordTableName } from '../assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
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

/** Columns that a bulk edit may set, with their types. The names become SQL. */
const settable: Record<RecordTableName, Readonly<Record<string, string>>> = {
  vulnerability: { status: 'text', category_id: 'integer' },
  threat: { is_active: 'boolean', threat_type_id: 'integer', threat_category: 'text' },
};

/**
 * Sets the same on many vulnerabilities or threats at once. A field that is set counts as a person's: no extraction
 * changes it. Those that are as asked already are left alone, version included.
 */
export async function updateRecords(
  trx: OrganizationTransaction,
  { table, where, change, by }: Update,
): Promise<UpdatedMany> {
  const { rows } = await sql<{ id: string }>`
    select r.id from ${sql.table(table)} r where ${where} order by r.key, r.id for update`.execute(trx);
  const ids = rows.map((row) => row.id);
  const changed = new Set([
    ...(await setColumns(trx, { table, ids, columns: change.columns, by })),
    ...(await addAssets(trx, { table, ids, assets: change.addAssets })),
    ...(await removeAssets(trx, { table, ids, assets: change.removeAssets })),
  ]);
  return { matched: ids.length, changed: [...changed] };
}

async function setColumns(
  trx: OrganizationTransaction,
  {
    table,
    ids,
    columns,
    by,
  }: Pick<Update, 'table' | 'by'> & { ids: string[]; columns: BulkChange['columns'] },
): Promise<string[]> {
  const changed = new Set<string>();
  for (const [name, value] of Object.entries(columns)) {
    const type = settable[table][name];
    if (type === undefined) throw new Error(`${name} cannot be set in bulk`);
    const column = sql.ref(name);
    const wanted = sql`${value}::${sql.raw(type)}`;
    const { rows } = await sql<{ id: string }>`
      update ${sql.table(table)} r set ${column} = ${wanted}, version = r.version + 1, updated_at = now(), updated_by = ${by}::uuid,
        edited_fields = case when r.key is null or ${name} = any (r.edited_fields) then r.edited_fields else r.edited_fields || ${name}::text end
      where r.organization_id = current_organization() and r.id = any (${ids}::uuid[]) and r.${column} is distinct from ${wanted}
      returning r.id`.execute(trx);
    for (const row of rows) changed.add(row.id);
  }
  return [...changed];
}
