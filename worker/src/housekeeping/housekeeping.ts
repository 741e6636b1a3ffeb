import type { Database } from '@riskboard/db';
import { sql } from 'kysely';

/**
 * What has served its time: nothing reads these rows any more. Ended sessions and invitations stay 30 days, for whoever
 * asks what happened. Several workers may do it at once. By the database's clock.
 */
const outdated = [
  sql`delete from password_reset where expires_at < now()`,
  sql`delete from email_change where expires_at < now()`,
  sql`delete from invitation where expires_at < now() - interval '30 days'`,
  sql`delete from session where least(ended_at, expires_at) < now() - interval '30 days'`,
  // Counted for 15 minutes (contract, Accounts: login).
  sql`delete from login_failure where at < now() - interval '1 day'`,
  sql`delete from reset_request where at < now() - interval '1 day'`,
  // What was deleted can be restored for 30 days.
  sql`delete from deleted_record where deleted_at < now() - interval '30 days'`,
] as const;

/** Deletes what is outdated. @returns rows that went */
export async function keepHouse({ system }: Pick<Database, 'system'>): Promise<number> {
  let gone = 0;
  for (const statement of outdated) {
    const { numAffectedRows = 0n } = await statement.execute(system);
    gone += Number(numAffectedRows);
  }
  return gone;
}
