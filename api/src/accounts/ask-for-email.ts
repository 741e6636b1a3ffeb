import type { Call, emailChange } from '@riskboard/contract';
import { type Database, rowLock, type Schema } from '@riskboard/db';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../lib/security/caller.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import { countMail, mailLimit } from '../lib/mail/mail-limit.ts';
import { confirmPassword } from '../passwords/confirm-password.ts';
import { recordOwnDeed } from './account-activity.ts';

const lives = sql<Date>`now() + interval '60 minutes'`;

/**
 * Asks for another address of one's own: a link goes to the new one, a word of it to the old one. Nothing here looks at
 * other accounts, so that neither answer nor time tells which addresses have one; whoever sends the mail finds out.
 * @throws Failure 403 wrong_password, 422 on `email` for the address that they have, 429
 */
export async function askForEmail(
  database: Database,
  { email, password }: Call<typeof emailChange.ask>['body'],
  caller: Caller,
): Promise<void> {
  const { accountId } = caller;
  const { email: current, passwordHash } = await confirmPassword(database, caller, password);
  if (email.toLowerCase() === current.toLowerCase()) {
    throw invalidField('email', 'This is your email address already.');
  }
  await database.system.transaction().execute(async (trx) => {
    const held = await trx
      .selectFrom('account')
      .select('id')
      .where('id', '=', accountId)
      .where('password_hash', '=', passwordHash)
      .modifyEnd(rowLock(trx, { name: 'account', id: accountId, mode: 'no key update' }))
      .executeTakeFirst();
    if (!held) throw new Failure('wrong_password');
    await limitMails(trx, { accountId, email });
    await trx
      .insertInto('email_change')
      .values({ account_id: accountId, email, expires_at: lives })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet({
          email,
          token_hash: null,
          created_at: sql<Date>`now()`,
          expires_at: lives,
        }),
      )
      .execute();
    await requestMail(trx, { kind: 'email-change', email, subjectId: accountId });
    await requestMail(trx, { kind: 'account-changed', email: current, detail: 'email-asked' });
    await recordOwnDeed(trx, caller, { action: 'account.email-asked' });
  });
}

/** Neither one account that writes to many strangers, nor many accounts that write to one. */
async function limitMails(
  trx: Transaction<Schema>,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  const allowed =
    (await countMail(trx, `email of ${accountId}`)) &&
    (await countMail(trx, `email to ${email.toLowerCase()}`));
  if (allowed) return;
  throw new Failure('too_many', undefined, { headers: { 'retry-after': String(mailLimit.minutes * 60) } });
}
