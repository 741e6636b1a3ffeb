import { databaseRoles } from '@riskboard/db';
import type pg from 'pg';
import { BackupError } from '../backup-error.ts';

const repair =
  'Start this version of Riskboard once (npm start, or packages/embedded/src/migrate-main.ts), which repairs roles and privileges, then run the backup again.';

/** A start of this version would migrate the database before there is a backup of it (docs/operations.md, Upgrade). */
const withoutRole =
  'Before an upgrade from a version that has no backups: stop Riskboard and copy DATA_DIR, or use pg_dump as a superuser, before you start this version. After a restore by another tool: start Riskboard once, which creates the role, then run the backup again.';

/**
 * The role that sees the rows of all organizations: none for a superuser or another login that row-level security does
 * not apply to, else the backup role.
 * @throws BackupError when the login may not take it
 */
export async function findReaderRole(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ login: string; bypasses: boolean; exists: boolean; member: boolean }>(
    `select current_user as login, me.rolsuper or me.rolbypassrls as bypasses, backup.oid is not null as exists,
       coalesce(pg_has_role(current_user, backup.oid, 'member'), false) as member
     from pg_roles me left join pg_roles backup on backup.rolname = $1 where me.rolname = current_user`,
    [databaseRoles.backup],
  );
  const [login] = rows;
  if (login?.bypasses === true) return undefined;
  if (login?.exists !== true)
    throw new BackupError(`The role ${databaseRoles.backup} does not exist. ${withoutRole}`);
  if (!login.member)
    throw new BackupError(
      `The login ${login.login} may not read the rows of all organizations: a backup needs the owner of the database. Set DATABASE_OWNER_URL.`,
    );
  return databaseRoles.backup;
}

/**
 * Row-level security would leave rows out without an error, and the file would look complete.
 * @throws BackupError that names the tables which the current role cannot read completely
 */
export async function requireCompleteSight(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and (not has_table_privilege(c.oid, 'select') or row_security_active(c.oid) and (
         not exists (
           select from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd in ('r', '*')
             and p.polroles @> array[$1::regrole::oid] and pg_get_expr(p.polqual, p.polrelid) = 'true')
         or exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive)))
     order by 1`,
    [databaseRoles.backup],
  );
  if (rows.length === 0) return;
  const names = rows.map((row) => row.name).join(', ');
  throw new BackupError(`The backup role may not read every row of ${names}. ${repair}`);
}
