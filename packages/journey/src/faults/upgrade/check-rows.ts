import { readAccess } from '@riskboard/db';
import { createTestDatabase, withClient } from '@riskboard/testing';
import type { Client } from 'pg';
import type { FixtureRow } from './fixture-file.ts';

/** Tables and columns that migrations dropped, and a table that they emptied: its rows expire within 15 minutes. */
const dropped = new Set(['cwe', 'login_failure', 'session.previous_hash', 'session.rotated_at']);
const renamed: Readonly<Record<string, string>> = { place: 'location' };
/** Columns whose content a migration converts, in JSON that is compared without these names. */
const converted = /"(?:place|location)":/gu;

/** A day was stored as its first moment in UTC. */
const comparable = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/T00:00:00\+00:00"/gu, '"')
    .replaceAll(converted, '"location":');

/** Every difference between the rows of a fixture and those of the database after the upgrade. */
export async function lostRows(admin: Client, rows: readonly FixtureRow[]): Promise<string[]> {
  const problems: string[] = [];
  const byTable = Map.groupBy(rows, ({ table }) => table);
  for (const [table, stored] of byTable) {
    if (dropped.has(table)) continue;
    // A migration may have extended the key.
    const key = (await keyOf(admin, table)).filter((column) => stored.every(({ row }) => column in row));
    const { rows: found } = await admin.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${table} t`,
    );
    const identity = (row: Record<string, unknown>) => JSON.stringify(key.map((column) => row[column]));
    const now = new Map(found.map(({ row }) => [identity(row), row]));
    for (const { row } of stored) {
      const kept = now.get(identity(row));
      if (kept === undefined) problems.push(`${table} lost ${identity(row)}`);
      else problems.push(...changedColumns(table, row, kept));
    }
  }
  return problems;
}

function changedColumns(
  table: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): string[] {
  const problems: string[] = [];
  for (const [column, value] of Object.entries(before)) {
    const name = renamed[column] ?? column;
    if (dropped.has(`${table}.${column}`)) continue;
    if (comparable(after[name]) !== comparable(value))
      problems.push(`${table}.${name}: ${JSON.stringify(value)} is now ${JSON.stringify(after[name])}`);
  }
  return problems;
}

/** Columns of the primary key; all columns of a table without one. */
async function keyOf(admin: Client, table: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select a.attname as name from pg_attribute a
     left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
       and (i.indrelid is null or a.attnum = any (i.indkey)) order by a.attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Rows that refer to a row which does not exist, of every foreign key. The fixture was loaded without checking them. */
export async function brokenReferences(admin: Client): Promise<string[]> {
  const { rows: keys } = await admin.query<{ name: string; query: string }>(
    `select conrelid::regclass || '.' || conname as name, format(
       'select count(*)::int as n from %s f where %s and not exists (select from %s t where %s)', conrelid::regclass,
       (select string_agg(format('f.%I is not null', a.attname), ' and ') from unnest(conkey) k
         join pg_attribute a on a.attrelid = conrelid and a.attnum = k), confrelid::regclass,
       (select string_agg(format('f.%I = t.%I', a.attname, b.attname), ' and ') from unnest(conkey, confkey) k (f, t)
         join pg_attribute a on a.attrelid = conrelid and a.attnum = k.f
         join pg_attribute b on b.attrelid = confrelid and b.attnum = k.t)) as query
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1`,
  );
  const broken: string[] = [];
  for (const { name, query } of keys) {
    const { rows } = await admin.query<{ n: number }>(query);
    if (rows[0]?.n !== 0) broken.push(`${name}: ${rows[0]?.n}`);
  }
  // References that triggers keep.
  await admin
    .query('select check_record_references()')
    .catch((error: unknown) => broken.push((error as Error).message));
  return broken;
}

/** Stored counts that differ from a count of their rows. */
export async function wrongCounts(admin: Client): Promise<unknown[]> {
  const { rows } = await admin.query(
    `select 'asset' as of, id::text from asset a where (vulnerability_count, threat_count) is distinct from (
       (select count(*) from vulnerability_asset r where r.asset_id = a.id), (select count(*) from threat_asset r where r.asset_id = a.id))
     union all select 'vulnerability', id::text from vulnerability v where asset_count is distinct from (
       select count(*) from vulnerability_asset r where r.vulnerability_id = v.id)
     union all select 'report_file', id::text from report_file f where (vulnerability_count, threat_count) is distinct from (
       (select count(distinct r.vulnerability_id) from report_record r where r.file_id = f.id),
       (select count(distinct r.threat_id) from report_record r where r.file_id = f.id))`,
  );
  return rows;
}

/** Policies, owners and privileges of a database that this version has migrated from nothing. */
export async function freshAccess(): Promise<string[]> {
  const fresh = await createTestDatabase();
  try {
    return await withClient(fresh.adminUrl, readAccess);
  } finally {
    await fresh.drop();
  }
}
