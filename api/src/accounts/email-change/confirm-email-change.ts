import { type Database, lockAccounts, type Schema } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { sql, type Transaction } from 'kysely';
import { Failure } from '../../lib/http/failure.ts';
import { linkHash, invalidLink } from '../../lib/mail/link-token.ts';
import { requestMail } from '../../lib/mail/request-mail.ts';
import { organizationsOf, recordAccountActivity } from '../account-activity.ts';
import { deleteStrandedAccount } from '../delete-stranded-account.ts';

/** The account whose address changed, and its organisations. */
export interface ChangedEmail {
  accountId: string;
  organizationIds: string[];
}

/** SQLSTATE unique_violation. */
const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === '23505';

/**
 * Changes an email address by the link mailed to the new one. The link proves access to the mailbox; no session is
 * required, because mails are often opened on another device. Password reset links mailed to the old address end.
 * @throws Failure 422 on `token`; 409 when another account has the address by now
 */
export async function confirmEmailChange(
  database: Database,
  token: string,
  address: string,
): Promise<ChangedEmail> {
  const requested = await database.system
    .selectFrom('email_change')
    .select(['account_id', 'email'])
    .where('token_hash', '=', linkHash(token))
    .executeTakeFirst();
  if (!requested) throw invalidLink();
  return database.system
    .transaction()
    .execute((trx) =>
      change(trx, { accountId: requested.account_id, email: requested.email, token, address }),
    );
}

async function change(
  trx: Transaction<Schema>,
  { accountId, email, token, address }: { accountId: string; email: string; token: string; address: string },
): Promise<ChangedEmail> {
  // Before the link: a password change locks the account and then deletes the link. Together with an account that has the
  // new address, because two people may exchange theirs.
  const stranded = await trx.selectFrom('account').select('id').where('email', '=', email).execute();
  await lockAccounts(trx, [accountId, ...stranded.map((account) => account.id)]);
  const before = await trx
    .selectFrom('account')
    .select(['email', 'first_name as firstName', 'last_name as lastName'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  const used = await trx
    .deleteFrom('email_change')
    .where('account_id', '=', accountId)
    .where('token_hash', '=', linkHash(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('email')
    .executeTakeFirst();
  if (!before || !used) throw invalidLink();
  await deleteStrandedAccount(trx, used.email);
  await trx
    .updateTable('account')
    .set({ email: used.email })
    .where('id', '=', accountId)
    .execute()
    .catch((error: unknown) => {
      throw isTaken(error) ? new Failure('conflict', 'Another account already uses this address.') : error;
    });
  await trx.deleteFrom('password_reset').where('account_id', '=', accountId).execute();
  await requestMail(trx, {
    kind: 'account-changed',
    email: before.email,
    subjectId: accountId,
    detail: 'email',
  });
  await recordAccountActivity(
    trx,
    { accountId, actor: actorOf(before), address },
    {
      action: 'account.email-changed',
      detail: { changes: { email: { from: before.email, to: used.email } } },
    },
  );
  return { accountId, organizationIds: await organizationsOf(trx, accountId) };
}
