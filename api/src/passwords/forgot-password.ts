import { createHash } from 'node:crypto';
import type { Database } from '@riskboard/db';
import { sql } from 'kysely';
import { askForMail } from '../lib/mail.ts';

/** Mails for one address in this time; more would only fill somebody's mailbox. */
const most = { requests: 3, minutes: 15 } as const;

/**
 * Asks for a mail with a link to set a new password. Nothing here looks at accounts, so that neither answer nor time
 * tells which addresses have one; whoever sends the mail finds out.
 */
export async function askForReset(database: Database, email: string): Promise<void> {
  const key = createHash('sha256').update(email.toLowerCase()).digest();
  const since = sql<Date>`now() - make_interval(mins => ${most.minutes})`;
  await database.system.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('reset ' || ${key.toString('hex')}, 0))`.execute(
      trx,
    );
    await trx.deleteFrom('reset_request').where('at', '<', since).execute();
    const { asked } = await trx
      .selectFrom('reset_request')
      .select(({ fn }) => fn.countAll<number>().as('asked'))
      .where('email_key', '=', key)
      .executeTakeFirstOrThrow();
    if (asked >= most.requests) return;
    await trx.insertInto('reset_request').values({ email_key: key }).execute();
    await askForMail(trx, { kind: 'password-reset', email });
  });
}
