import pg from 'pg';
import { databaseRoles } from '../connection/roles.ts';
import { UnsuitableDatabase } from './unsuitable-database.ts';

/** Databases of a cluster share its roles, so two processes may create them at once: the second one's error is ignored. */
const alreadyExists = new Set(['42710', '23505']);

/**
 * Creates the working roles and grants them to the login role.
 * @throws UnsuitableDatabase when the login role may neither create nor grant them and is no member; the message says what
 *   to run
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
      throw await lackingRoles(client, error);
    }
  }
}

/** Says what an administrator runs, so that the user is a member of every role. */
async function lackingRoles(client: pg.Client, cause: unknown): Promise<UnsuitableDatabase> {
  const { rows } = await client.query<{ login: string; name: string; exists: boolean }>(
    `select quote_ident(current_user) as login, name, oid is not null as exists
     from unnest($1::text[]) as name left join pg_roles on rolname = name
     where oid is null or not pg_has_role(current_user, oid, 'member')`,
    [Object.values(databaseRoles)],
  );
  const statements = rows.map(async ({ login, name, exists }) => {
    const grant = `grant ${name} to ${login}${await grantOption(client, name)};`;
    return exists ? grant : `create role ${name} nologin; ${grant}`;
  });
  const remedy = (await Promise.all(statements)).join(' ');
  return new UnsuitableDatabase(
    `The database user ${rows[0]?.login} lacks roles that it may not create or grant to itself. Let an administrator run: ${remedy}`,
    { cause },
  );
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
    if (refusedLogin.test(codeOf(error))) return false;
    // Names and privileges of a database are checked after the password.
    if (codeOf(error) === '3D000' || isDenied(error)) return true;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface LoginUse {
  maySignIn: boolean;
  /** Whether the current database names it among those that may connect. */
  mayConnect: boolean;
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
     select rolcanlogin as "maySignIn",
       exists (select from pg_database, aclexplode(datacl) where datname = current_database()
         and grantee = pg_roles.oid and privilege_type = 'CONNECT') as "mayConnect",
       (select min(datname) from used where datname <> current_database()) as other
     from pg_roles where rolname = $1`,
    [name],
  );
  return rows[0];
}

/**
 * Another database of the server that uses the login of an address, as another installation would; null without one.
 * Then the migration refuses to change the password of the login.
 */
export async function otherDatabaseOf(loginUrl: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: loginUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select current_user as name');
    return (await readUse(client, rows[0]?.name ?? ''))?.other ?? null;
  } finally {
    await client.end();
  }
}

/**
 * Creates the login of an address as a member of `role`, or sets its password. The role may be the login itself. The login
 * is granted CONNECT, by which other installations on the server recognise that it is in use.
 * @throws UnsuitableDatabase when the login has another password and another database of the server uses it, or when the
 *   owner may not create or change it
 */
export async function ensureLogin(ownerUrl: string, loginUrl: string, role: string): Promise<void> {
  const url = new URL(loginUrl);
  const [name, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const login = client.escapeIdentifier(name);
    const use = await readUse(client, name);
    const isShared = use?.maySignIn === true && use.other !== null;
    // Without a password the server knows the login by another method, such as a certificate.
    if (isShared && password !== '' && !(await acceptsPassword(loginUrl)))
      throw new UnsuitableDatabase(
        `The login ${login} has another password than its address, and the database ${use.other} of the same server uses it. Choose other names for the logins of DATABASE_URL and DATABASE_SYSTEM_URL, or another PostgreSQL server. If it is to have a new password in all databases, let an administrator set it first.`,
      );
    const secret = password === '' ? '' : ` password ${client.escapeLiteral(password)}`;
    const statements = [
      ...(use ? [] : [`create role ${login} noinherit`]),
      ...(isShared ? [] : [`alter role ${login} login${secret}`]),
      ...(name === role ? [] : [`grant ${role} to ${login}`]),
    ];
    try {
      for (const statement of statements) await client.query(statement).catch(ignoreClash);
    } catch (error) {
      if (!isDenied(error)) throw error;
      const owner = client.escapeIdentifier(decodeURIComponent(new URL(ownerUrl).username));
      const roles = use && name !== role ? `${role}, ${login}` : role;
      throw new UnsuitableDatabase(
        `The database user ${owner} may not create or change the login ${login}. Let an administrator run: alter role ${owner} createrole; grant ${roles} to ${owner} with admin option;`,
        { cause: error },
      );
    }
    if (use?.mayConnect !== true) await grantConnect(client, login);
  } finally {
    await client.end();
  }
}

async function grantConnect(client: pg.Client, login: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  await client.query(`grant connect on database ${rows[0]?.name} to ${login}`);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** SQLSTATE insufficient_privilege */
const isDenied = (error: unknown): boolean => codeOf(error) === '42501';

function ignoreClash(error: unknown): void {
  if (!alreadyExists.has(codeOf(error))) throw error;
}
