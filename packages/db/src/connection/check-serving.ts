import { sql } from 'kysely';
import { withOrganization } from '../with-organization.ts';
import { readSchemaState, schemaProblem } from '../migrate/schema-state.ts';
import { WrongRoleError } from './check-session.ts';
import type { Database } from './client.ts';

/** An organization without rows; no organization has this id. */
const none = '00000000-0000-0000-0000-000000000000';

/** SQLSTATE insufficient_privilege, undefined_table, undefined_column, undefined_function. */
const unprepared = new Set(['42501', '42P01', '42703', '42883']);

/**
 * Reads under both roles as requests do, a search included. A database that other tools restored answers a plain query
 * while every request fails on missing privileges.
 * @returns what is wrong with the database; undefined when requests can be served
 * @throws when the database does not answer
 */
export async function checkServing(database: Database): Promise<string | undefined> {
  try {
    await withOrganization(database, none, async (trx) => {
      await sql`select name from organization limit 1`.execute(trx);
      await sql`select id from job limit 1`.execute(trx);
      await sql`select vulnerabilities_like('none', 1)`.execute(trx);
    });
    await sql`select a.id from account a join session s on s.account_id = a.id limit 1`.execute(
      database.system,
    );
    return schemaProblem(await readSchemaState(database));
  } catch (error) {
    if (error instanceof WrongRoleError) return error.message;
    const { code, message } = error as { code?: string; message: string };
    if (code === undefined || !unprepared.has(code)) throw error;
    return `not prepared (${message}): run the migration`;
  }
}
