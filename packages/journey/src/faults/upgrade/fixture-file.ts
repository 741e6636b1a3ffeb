import { readdir, readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from 'pg';

/** A row as JSON, with the name of its table. */
export interface FixtureRow {
  table: string;
  row: Record<string, unknown>;
}

const folder = new URL('fixtures/', import.meta.url);

/** Names of the migrations for whose schema a fixture exists, in order. */
export async function fixtureVersions(): Promise<string[]> {
  const files = await readdir(folder);
  return files.map((file) => file.replace('.jsonl.gz', '')).toSorted();
}

export async function readFixture(version: string): Promise<FixtureRow[]> {
  const compressed = await readFile(new URL(`${version}.jsonl.gz`, folder));
  return gunzipSync(compressed)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as FixtureRow);
}

/** Rows that the migration stores itself. */
const bundled = `where (to_jsonb(t) ->> 'organization_id') is not null`;
const ofMigration: Readonly<Record<string, string>> = { cwe_catalogue: bundled, cwe_entry: bundled };

/** Reads every row of the product, one line each, sorted. Generated columns are left out. */
export async function dumpRows(admin: Client): Promise<FixtureRow[]> {
  const found: FixtureRow[] = [];
  for (const { table, generated } of await tablesOf(admin)) {
    const { rows } = await admin.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) - $1::text[] as row from ${table} t ${ofMigration[table] ?? ''} order by to_jsonb(t)::text collate "C"`,
      [generated],
    );
    found.push(...rows.map(({ row }) => ({ table, row })));
  }
  return found;
}

/** Names of the tables, each with its generated columns. */
export async function tablesOf(admin: Client): Promise<{ table: string; generated: string[] }[]> {
  const { rows } = await admin.query<{ table: string; generated: string[] }>(
    `select c.relname as table, array(
       select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attgenerated <> '') as generated
     from pg_class c
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%' order by 1`,
  );
  return rows;
}

export async function writeFixture(version: string, rows: readonly FixtureRow[]): Promise<void> {
  const lines = rows.map((row) => JSON.stringify(row));
  await writeFile(new URL(`${version}.jsonl.gz`, folder), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
}

/** Stores the rows as they are: without triggers, which the former version ran already. */
export async function loadFixture(admin: Client, rows: readonly FixtureRow[]): Promise<void> {
  await admin.query('begin; set local session_replication_role = replica');
  for (const { table, row } of rows) {
    const columns = Object.keys(row)
      .map((column) => admin.escapeIdentifier(column))
      .join(', ');
    await admin.query(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from jsonb_populate_record(null::${table}, $1::jsonb)`,
      [JSON.stringify(row)],
    );
  }
  await admin.query('commit');
  await continueSequences(admin);
}

async function continueSequences(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ statement: string }>(
    `select format('select setval(%L, greatest(1, (select max(%I) from %I)))', s.oid::regclass, a.attname, t.relname) as statement
     from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace`,
  );
  for (const { statement } of rows) await admin.query(statement);
}
