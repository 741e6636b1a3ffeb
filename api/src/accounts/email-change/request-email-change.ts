import type { Call, emailChange } from '@riskboard/contract';
import type { Database, Schema } from '@riskboard/db';
import { sql, type Transaction } from 'kysely';
import type { Caller } from '../../lib/security/caller.ts';
import { invalidField } from '../../lib/http/failure.ts';
import { requestMail } from '../../lib/mail/request-mail.ts';
import { countMail, tooManyMails } from '../../lib/mail/mail-limit.ts';
import { confirmIdentity, lockConfirmed } from '../../passwords/confirm-password.ts';
import type { Seal } from '../../second-factor/seal.ts';
import { recordAccountActivity } from '../account-activity.ts';

const expiresAt = sql<Date>`now() + interval '60 minutes'`;

/**
 * Requests a change of the caller's email address: mails a confirmation link to the new address and a notice to the old
 * one. Other accounts are not looked up, so that neither the reply nor its timing reveals which addresses are taken;
 * the worker checks when it sends the mail.
 * @throws Failure 403 wrong_password or wrong_code, 422 on `code`, or on `email` for the current address, 429
 */
export async function requestEmailChange(
  { database, seal }: { database: Database; seal: Seal },
  { email, password, code }: Call<typeof emailChange.ask>['body'],
  caller: Caller,
): Promise<void> {
  const { accountId } = caller;
  const confirmed = await confirmIdentity({ database, seal }, caller, { password, code });
  const current = confirmed.email;
  if (email.toLowerCase() === current.toLowerCase()) {
    throw invalidField('email', 'This is already your email address.');
  }
  await database.system.transaction().execute(async (trx) => {
    await lockConfirmed(trx, caller, confirmed);
    await limitMails(trx, { accountId, email });
    await trx
      .insertInto('email_change')
      .values({ account_id: accountId, email, expires_at: expiresAt })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet({
          email,
          token_hash: null,
          created_at: sql<Date>`now()`,
          expires_at: expiresAt,
        }),
      )
      .execute();
    await requestMail(trx, { kind: 'email-change', email, subjectId: accountId });
    await requestMail(trx, { kind: 'account-changed', email: current, detail: 'email-asked' });
    await recordAccountActivity(trx, caller, { action: 'account.email-asked' });
  });
}

/** Limits mails per account, against mailing many addresses, and per address, against many accounts mailing one. */
export async function limitMails(
  trx: Transaction<Schema>,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  const allowed =
    (await countMail(trx, `email of ${accountId}`)) &&
    (await countMail(trx, `email to ${email.toLowerCase()}`));
  if (allowed) return;
  throw tooManyMails();
}
