import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseRoles } from '@riskboard/db/roles';
import { Client } from 'pg';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** What decides how a database is prepared (migrate.ts): files, and folders with their files. */
const programs = [
  'migrations',
  'packages/db/src/migrate',
  'packages/db/src/cwe',
  'packages/db/package.json',
  'packages/queue/src/prepare.ts',
  'packages/embedded/src/database/migrate.ts',
  'pnpm-workspace.yaml',
];

/**
 * Everything in the database that a preparation creates or repairs: applied migrations, the bundled catalogue, tables,
 * functions, policies, privileges, roles and passwords. A restore with any tool changes it: new or emptied tables have
 * other files. The password of the owner is set at each start.
 */
const state = `
  select 'migration ' || name as line from kysely_migration
  union all select 'catalogue ' || version || ' ' || bundled_at from cwe_catalogue where bundled_at is not null
  union all select concat_ws(' ', 'relation', oid, relname, relowner, relfilenode, relacl, relrowsecurity, relforcerowsecurity)
    from pg_class where relnamespace in (select oid from pg_namespace where nspname in ('public', 'bullmq'))
  union all select concat_ws(' ', 'column', attrelid, attnum, attacl) from pg_attribute where attacl is not null
  union all select concat_ws(' ', 'function', oid, proname, proowner, proacl) from pg_proc where oid >= 16384
  union all select concat_ws(' ', 'policy', oid, polrelid, polname, polroles) from pg_policy
  union all select concat_ws(' ', 'schema', oid, nspname, nspowner, nspacl) from pg_namespace where nspname !~ '^pg_'
  union all select concat_ws(' ', 'database', oid, datname, datdba, datacl) from pg_database
  union all select concat_ws(' ', 'member', roleid, member, admin_option, inherit_option, set_option) from pg_auth_members
  union all select concat_ws(' ', 'role', oid, rolname, rolsuper, rolinherit, rolcreaterole, rolcanlogin, rolbypassrls,
    case when rolname = any ($1::text[]) then rolpassword end) from pg_authid where rolname !~ '^pg_'`;

/** SQLSTATE undefined_table, undefined_column: not prepared at all. */
const unprepared = new Set(['42P01', '42703']);

async function readState(adminUrl: string): Promise<string | undefined> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ hash: string }>(
      `select encode(sha256(string_agg(line, E'\\n' order by line)::bytea), 'hex') as hash from (${state}) s`,
      [Object.values(databaseRoles)],
    );
    return rows[0]?.hash;
  } catch (error) {
    if (unprepared.has(String((error as { code?: unknown }).code))) return undefined;
    throw error;
  } finally {
    await admin.end();
  }
}

async function filesOf(path: string): Promise<string[]> {
  const full = join(repository, path);
  const entries = await readdir(full, { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (entries === undefined) return [full];
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

async function hashPrograms(): Promise<string> {
  const files = (await Promise.all(programs.map(filesOf))).flat();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content).update('\0');
  return hash.digest('hex');
}

/**
 * A digest of the embedded database as it is prepared, of the programs that prepare it, and of its logins. While it is
 * what it was after the last complete preparation, another one would change nothing.
 * @returns undefined for a database that has never been prepared
 */
export async function preparedState(
  adminUrl: string,
  logins: readonly string[],
): Promise<string | undefined> {
  const [database, code] = await Promise.all([readState(adminUrl), hashPrograms()]);
  if (database === undefined) return undefined;
  const hash = createHash('sha256').update(`${database}\n${code}\n`);
  for (const login of logins) hash.update(login.replace(/:\d+\//u, '/'));
  return hash.digest('hex');
}
