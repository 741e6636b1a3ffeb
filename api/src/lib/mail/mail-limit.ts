import { createHash } from 'node:crypto';
import { lockEmailSubject, type Schema } from '@riskboard/db';
import { sql, type Transaction } from 'kysely';

/** Mails about one thing in this time; more would only fill somebody's mailbox. */
export const mailLimit = { mails: 3, minutes: 15 } as const;

/**
 * Counts a mail about something, such as an address that may be a stranger's. Only a hash of it is kept.
 * @returns false when too many were asked for
 */
export async function countMail(trx: Transaction<Schema>, about: string): Promise<boolean> {
  const key = createHash('sha256').update(about).digest();
  const since = sql<Date>`now() - make_interval(mins => ${mailLimit.minutes})`;
  await lockEmailSubject(trx, { subject: about, hash: key.toString('hex') });
  await trx.deleteFrom('reset_request').where('at', '<', since).execute();
  const { asked } = await trx
    .selectFrom('reset_request')
    .select(({ fn }) => fn.countAll<number>().as('asked'))
    .where('email_key', '=', key)
    .executeTakeFirstOrThrow();
  if (asked >= mailLimit.mails) return false;
  await trx.insertInto('reset_request').values({ email_key: key }).execute();
  return true;
}
