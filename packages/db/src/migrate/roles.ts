import type pg from 'pg';
import { databaseRoles } from '../connection/client.ts';

/** A cluster's roles are shared by its databases, so two processes may make them at once: the second one's clash is fine. */
const alreadyThere = new Set(['42710', '23505']);

/**
 * Makes the working roles and lets the login role take them.
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
  if (!alreadyThere.has(code)) throw error;
}
