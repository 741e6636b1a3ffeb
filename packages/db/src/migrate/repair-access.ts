import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { databaseRoles } from '../connection/roles.ts';
import { readAccess } from './read-access.ts';
import { UnsuitableDatabase } from './unsuitable-database.ts';

/**
 * What identifies a statement: of a policy everything before its conditions, whose text depends on the release of
 * PostgreSQL.
 */
const identity = (statement: string): string =>
  statement.startsWith('create policy') ? statement.replace(/ (?:using|with check) \(.*$/u, '') : statement;

const policyName = /^create policy (\S+) on (\S+)/u;
const newOwner = /^alter (?:function|procedure) .* owner to (\S+)$/u;

async function apply(client: pg.ClientBase, statement: string): Promise<void> {
  const [, policy, table] = policyName.exec(statement) ?? [];
  if (policy !== undefined) await client.query(`drop policy if exists ${policy} on ${table}`);
  const [, owner] = newOwner.exec(statement) ?? [];
  // A role must have CREATE on the schema to become the owner of a function.
  if (owner !== undefined) await client.query(`grant create on schema public to ${owner}`);
  await client.query(statement);
  if (owner !== undefined) await client.query(`revoke create on schema public from ${owner}`);
}

/** SQLSTATE of a missing table, column or function: `access.sql` is older than a migration in development. */
const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['42P01', '42703', '42883'].includes(String(error.code));

async function applyIfPresent(client: pg.ClientBase, statement: string): Promise<void> {
  await client.query('savepoint statement');
  try {
    await apply(client, statement);
    await client.query('release savepoint statement');
  } catch (error) {
    if (!isAbsent(error)) throw error;
    await client.query('rollback to savepoint statement');
  }
}

/** Owners last: only the owner of a function, or a member of its role, grants its execution. */
const rank = (statement: string): number => (newOwner.test(statement) ? 1 : 0);

/**
 * Grants what is missing of `access.sql` in a database of the newest version: after a restore with other tools, roles,
 * privileges, policies and owners may be absent. Takes no lock when nothing is missing. Grants nothing that a migration
 * has revoked, and revokes nothing.
 * @returns the statements that were missing
 * @throws UnsuitableDatabase when the tables belong to another role; the message says what to run
 */
export async function repairAccess(client: pg.ClientBase): Promise<string[]> {
  const text = await readFile(new URL('access.sql', import.meta.url), 'utf8');
  const expected = text.split(';\n').filter((statement) => statement !== '');
  const actual = new Set((await readAccess(client)).map(identity));
  const missing = expected
    .filter((statement) => !actual.has(identity(statement)))
    .toSorted((a, b) => rank(a) - rank(b));
  if (missing.length === 0) return [];
  await requireOwnership(client);
  await client.query('begin');
  try {
    for (const statement of missing) await applyIfPresent(client, statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  return missing;
}

async function requireOwnership(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ owner: string; login: string }>(
    `select distinct pg_get_userbyid(relowner) as owner, current_user as login from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not pg_has_role(relowner, 'usage')`,
  );
  const [other] = rows;
  if (other === undefined) return;
  throw new UnsuitableDatabase(
    `The tables belong to the role ${other.owner}, not to ${other.login}. Let an administrator run in this database: ${ownershipRemedy(other.login)}`,
  );
}

const ownershipRemedy = (login: string): string =>
  `do $$ declare t regclass; begin for t in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') loop execute format('alter table %s owner to "${login}"', t); end loop; end $$;`;

/**
 * Lets the backup role read every table that it cannot read yet, each in a transaction of its own: a policy needs an
 * exclusive lock of its table for a moment.
 */
export async function ensureBackupAccess(client: pg.ClientBase): Promise<void> {
  const role = databaseRoles.backup;
  const { rows } = await client.query<{ name: string; kind: string; policy: boolean; privilege: boolean }>(
    `select quote_ident(c.relname) as name, c.relkind as kind,
       c.relrowsecurity and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'backup') as policy,
       case c.relkind when 'S' then not has_sequence_privilege($1, c.oid, 'select')
         else not has_table_privilege($1, c.oid, 'select') end as privilege
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1`,
    [role],
  );
  const { rows: usage } = await client.query<{ may: boolean }>(
    `select has_schema_privilege($1, 'public', 'usage') as may`,
    [role],
  );
  if (usage[0]?.may !== true) await client.query(`grant usage on schema public to ${role}`);
  for (const { name, kind, policy, privilege } of rows) {
    if (privilege) await client.query(`grant select on ${kind === 'S' ? 'sequence ' : ''}${name} to ${role}`);
    if (policy) await client.query(`create policy backup on ${name} for select to ${role} using (true)`);
  }
}
