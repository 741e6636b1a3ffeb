import type pg from 'pg';
import type { Table } from '../file/content.ts';

/** The migrator writes its own tables. */
const ownedByMigrator = ['kysely_migration', 'kysely_migration_lock'];

const notOfExtension = `not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/** Tables of the product with their stored columns; generated columns are calculated again. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = '' and not c.relname = any ($1) and ${notOfExtension}
     group by c.relname order by c.relname collate "C"`,
    [ownedByMigrator],
  );
  return rows;
}

/** Names of the applied migrations, in order. */
export async function readMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map((row) => row.name);
}

/** Last value of each sequence; null: never used. Sequences change outside transactions: read them after the rows. */
export async function readSequences(client: pg.ClientBase): Promise<Record<string, string | null>> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `select c.relname as name, pg_sequence_last_value(c.oid)::text as last from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and ${notOfExtension} order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}
