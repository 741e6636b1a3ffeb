import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

type Table = 'vulnerability' | 'threat' | 'asset' | 'project';

/** A row out of the bin, as its table is by now. */
interface KeptRow {
  /** Names of the columns, to insert into. */
  columns: RawBuilder<unknown>;
  /** The same of the row `restored`. */
  values: RawBuilder<unknown>;
  /** The row `restored` of the JSON that was kept: what a later migration added has the default of its column. */
  of(data: string): RawBuilder<unknown>;
}

/** How rows of this table are read back from what the bin keeps of them. */
export async function keptRow(trx: OrganizationTransaction, table: Table): Promise<KeptRow> {
  const { rows } = await sql<{ name: string; standard: string | null; generated: boolean }>`
    select a.attname as name, a.attgenerated <> '' as generated,
      case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as standard
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
    order by a.attnum`.execute(trx);
  const written = rows.filter(({ generated }) => !generated).map(({ name }) => name);
  const standards = rows.map(({ standard }) => standard ?? 'null').join(', ');
  return {
    columns: sql.join(written.map((name) => sql.ref(name))),
    values: sql.join(written.map((name) => sql.ref(`restored.${name}`))),
    of: (data) =>
      sql`jsonb_populate_record(row(${sql.raw(standards)})::${sql.table(table)}, ${sql.ref(data)}) restored`,
  };
}
