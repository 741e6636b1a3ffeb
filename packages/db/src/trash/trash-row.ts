import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/** A table whose deleted rows are moved to the trash. */
export type TrashTable = 'vulnerability' | 'threat' | 'asset' | 'project';

/** How a row is restored from the trash into the columns that its table has now. */
interface TrashRow {
  /** Names of the columns to insert into. */
  columns: RawBuilder<unknown>;
  /** The same columns of the row `restored`. */
  values: RawBuilder<unknown>;
  /** The row `restored` made from the JSON in `data`; a column that a later migration added has its default. */
  of(data: string): RawBuilder<unknown>;
}

/** Columns that triggers count from relations: they begin at 0 and count the relations that are restored. */
const counted: Partial<Record<TrashTable, readonly string[]>> = {
  asset: ['threat_count', 'vulnerability_count'],
  vulnerability: ['asset_count', 'critical_asset_count'],
};

/** Reads the current columns of a table from the catalogue of PostgreSQL. */
export async function trashRow(trx: OrganizationTransaction, table: TrashTable): Promise<TrashRow> {
  const { rows } = await sql<{ name: string; standard: string | null; generated: boolean }>`
    select a.attname as name, a.attgenerated <> '' as generated,
      case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as standard
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
    order by a.attnum`.execute(trx);
  const written = rows
    .filter(({ generated, name }) => !generated && !counted[table]?.includes(name))
    .map(({ name }) => name);
  const standards = rows.map(({ standard }) => standard ?? 'null').join(', ');
  return {
    columns: sql.join(written.map((name) => sql.ref(name))),
    values: sql.join(written.map((name) => sql.ref(`restored.${name}`))),
    of: (data) =>
      sql`jsonb_populate_record(row(${sql.raw(standards)})::${sql.table(table)}, ${sql.ref(data)}) restored`,
  };
}

/** The version that a row had when it was moved to the trash; undefined when it is not there. */
export async function versionInTrash(
  trx: OrganizationTransaction,
  table: TrashTable,
  id: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    select (data ->> 'version')::int as version from deleted_record
    where organization_id = current_organization() and noun = ${table} and id = ${id}`.execute(trx);
  return rows[0]?.version;
}
