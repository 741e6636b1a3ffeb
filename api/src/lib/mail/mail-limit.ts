import { createHash } from 'node:crypto';
import { lockEmailSubject, type Schema } from '@riskboard/db';
import { sql, type Transaction } from 'kysely';
import { Failure } from '../http/failure.ts';

/** Maximum number of mails per key in this time. */
const mailLimit = { mails: 3, minutes: 15 } as const;

/**
 * Counts a mail for a key, such as an address. Only a hash of the key is stored, until housekeeping deletes it: rows of
 * other keys are not touched under the lock of this one, or two calls could wait for each other.
 * @returns false when the limit is reached
 */
export async function countMail(trx: Transaction<Schema>, subject: string): Promise<boolean> {
  const key = createHash('sha256').update(subject).digest();
  const since = sql<Date>`now() - make_interval(mins => ${mailLimit.minutes})`;
  await lockEmailSubject(trx, { subject, hash: key.toString('hex') });
  const { counted } = await trx
    .selectFrom('reset_request')
    .select(({ fn }) => fn.countAll<number>().as('counted'))
    .where('email_key', '=', key)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow();
  if (counted >= mailLimit.mails) return false;
  await trx.insertInto('reset_request').values({ email_key: key }).execute();
  return true;
}

/** 429 with the time after which a mail is allowed again. */
export const tooManyMails = (message?: string): Failure =>
  new Failure('too_many', message, { headers: { 'retry-after': String(mailLimit.minutes * 60) } });
