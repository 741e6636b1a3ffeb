import type { Database } from '@riskboard/db';
import { requestMail } from '../lib/mail/request-mail.ts';
import { countMail } from '../lib/mail/mail-limit.ts';

/**
 * Requests a mail with a link to set a new password. Accounts are not looked up, so that neither the reply nor its
 * timing reveals which addresses have one; the worker checks when it sends the mail.
 */
export async function requestPasswordReset(database: Database, email: string): Promise<void> {
  await database.system.transaction().execute(async (trx) => {
    if (!(await countMail(trx, email.toLowerCase()))) return;
    await requestMail(trx, { kind: 'password-reset', email });
  });
}
