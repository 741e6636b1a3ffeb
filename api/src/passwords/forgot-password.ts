import type { Database } from '@riskboard/db';
import { requestMail } from '../lib/mail/request-mail.ts';
import { countMail } from '../lib/mail/mail-limit.ts';

/**
 * Asks for a mail with a link to set a new password. Nothing here looks at accounts, so that neither answer nor time
 * tells which addresses have one; whoever sends the mail finds out.
 */
export async function askForReset(database: Database, email: string): Promise<void> {
  await database.system.transaction().execute(async (trx) => {
    if (!(await countMail(trx, email.toLowerCase()))) return;
    await requestMail(trx, { kind: 'password-reset', email });
  });
}
