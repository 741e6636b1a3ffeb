import type pg from 'pg';
import { databaseRoles } from '../connection/client.ts';

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
      await client.query(`grant ${role} to current_user`).catch(ignoreClash);
    } catch (error) {
      throw new Error(
        `The database user may not create roles. Let an administrator run: create role ${role} nologin; grant ${role} to <the user of DATABASE_URL>;`,
        { cause: error },
      );
    }
  }
}

function ignoreClash(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!alreadyExists.has(code)) throw error;
}
