import pg from 'pg';
import { databaseRoles } from '../connection/roles.ts';
import { UnsuitableDatabase } from './unsuitable-database.ts';

/** Databases of a cluster share its roles, so two processes may create them at once: the second one's error is ignored. */
const alreadyExists = new Set(['42710', '23505']);

/**
 * Creates the working roles and grants them to the login role.
 * @throws when the login role may neither create roles nor is a member of them; the message says what to run.
 */
export async function ensureRoles(client: pg.Client): Promise<void> {
  for (const role of Object.values(databaseRoles)) {
    const { rows } = await client.query<{ member: boolean }>(
      `select pg_has_role(current_user, oid, 'member') as member from pg_roles where rolname = $1`,
      [role],
    );
    if (rows[0]?.member) continue;
    try {
      if (!rows[0]) await client.query(`create role ${role} nologin`).catch(ignoreClash);
      await client
        .query(`grant ${role} to current_user${await grantOption(client, role)}`)
        .catch(ignoreClash);
    } catch (error) {
      throw new Error(
        `The database user may not create roles. Let an administrator run: create role ${role} nologin; grant ${role} to <the user of DATABASE_URL>;`,
        { cause: error },
      );
    }
  }
}

/**
 * The owner must not inherit the policies of the backup role, which show the rows of all organizations: it takes the role
 * explicitly. Before PostgreSQL 16 a single grant cannot exclude inheritance.
 */
async function grantOption(client: pg.Client, role: string): Promise<string> {
  if (role !== databaseRoles.backup) return '';
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  return (rows[0]?.version ?? 0) >= 160_000 ? ' with inherit false, set true' : '';
}

/** SQLSTATE class: PostgreSQL refuses the user or the password. */
const refusedLogin = /^28/u;

/** @throws every other error */
async function acceptsPassword(loginUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: loginUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (refusedLogin.test(code)) return false;
    // Names and privileges of a database are checked after the password.
    if (code === '3D000' || code === '42501') return true;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface LoginUse {
  maySignIn: boolean;
  /** Whether the current database has granted it something. */
  isKnown: boolean;
  /** Another database of the server with which the login is connected, or in which it owns or may do something. */
  other: string | null;
}

/** Roles belong to the server: pg_shdepend lists what they own and may do in all of its databases. */
async function readUse(client: pg.Client, name: string): Promise<LoginUse | undefined> {
  const { rows } = await client.query<LoginUse>(
    `with used as (
       select d.datname from pg_roles r join pg_shdepend s on s.refclassid = 'pg_authid'::regclass and s.refobjid = r.oid
         join pg_database d on d.oid = case s.classid when 'pg_database'::regclass then s.objid else s.dbid end
       where r.rolname = $1
       union select datname from pg_stat_activity where usename = $1 and datname is not null)
     select rolcanlogin as "maySignIn", exists (select from used where datname = current_database()) as "isKnown",
       (select min(datname) from used where datname <> current_database()) as other
     from pg_roles where rolname = $1`,
    [name],
  );
  return rows[0];
}

/**
 * Creates the login of an address as a member of `role`, or sets its password. The role may be the login itself. The login
 * is granted CONNECT, by which other installations on the server recognise that it is in use.
 * @throws UnsuitableDatabase when the login has another password and another database of the server uses it
 */
export async function ensureLogin(ownerUrl: string, loginUrl: string, role: string): Promise<void> {
  const url = new URL(loginUrl);
  const [name, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const login = client.escapeIdentifier(name);
    const use = await readUse(client, name);
    if (!use) await client.query(`create role ${login} noinherit`).catch(ignoreClash);
    const isShared = use?.maySignIn === true && use.other !== null;
    // Without a password the server knows the login by another method, such as a certificate.
    if (isShared && password !== '' && !(await acceptsPassword(loginUrl)))
      throw new UnsuitableDatabase(
        `The login ${login} has another password than its address, and the database ${use.other} of the same server uses it. Choose other names for the logins of DATABASE_URL and DATABASE_SYSTEM_URL, or another PostgreSQL server. If it is to have a new password in all databases, let an administrator set it first.`,
      );
    const secret = password === '' ? '' : ` password ${client.escapeLiteral(password)}`;
    if (!isShared) await client.query(`alter role ${login} login${secret}`);
    if (name !== role) await client.query(`grant ${role} to ${login}`);
    if (use?.isKnown !== true) await grantConnect(client, login);
  } finally {
    await client.end();
  }
}

async function grantConnect(client: pg.Client, login: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  await client.query(`grant connect on database ${rows[0]?.name} to ${login}`);
}

function ignoreClash(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!alreadyExists.has(code)) throw error;
}
