import pg from 'pg';
import { databaseRoles } from '../connection/roles.ts';

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

/**
 * Creates the login of an address as a member of `role`, or sets its password. The role may be the login itself.
 * @throws when the owner may not create roles or grant this one
 */
export async function ensureLogin(ownerUrl: string, loginUrl: string, role: string): Promise<void> {
  const url = new URL(loginUrl);
  const [name, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const login = client.escapeIdentifier(name);
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
    if (rowCount === 0) await client.query(`create role ${login} noinherit`).catch(ignoreClash);
    // Without a password the server knows the login by another method, such as a certificate.
    const secret = password === '' ? '' : ` password ${client.escapeLiteral(password)}`;
    await client.query(`alter role ${login} login${secret}`);
    if (name !== role) await client.query(`grant ${role} to ${login}`);
  } finally {
    await client.end();
  }
}

function ignoreClash(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!alreadyExists.has(code)) throw error;
}
