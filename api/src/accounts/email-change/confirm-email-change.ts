import { type Database, lockAccounts, type Schema } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { sql, type Transaction } from 'kysely';
import { Failure } from '../../lib/http/failure.ts';
import { linkHash, invalidLink } from '../../lib/mail/link-token.ts';
import { requestMail } from '../../lib/mail/request-mail.ts';
import { type Displaced, displaceUnverified } from '../displace-unverified.ts';
import { markVerified } from './verification.ts';
import { organizationsOf, recordAccountActivity } from '../account-activity.ts';
import { deleteStrandedAccount } from '../delete-stranded-account.ts';

/** What a confirmation changed, to publish after the commit. */
export interface ConfirmedEmail {
  account: { accountId: string; organizationIds: string[] };
  /** The account that had the new address without having confirmed it. */
  displaced: Displaced | undefined;
  /** The address is the one that the account has already. */
  verifiedOnly: boolean;
}

interface Confirmation {
  /** IP address of the request. */
  address: string;
  /** Whether an account that never confirmed the new address loses it. */
  displaces: boolean;
}

/** SQLSTATE unique_violation. */
const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === '23505';

/**
 * Changes an email address by the link mailed to the new one, or confirms the current one by a link mailed to it. The link proves access to the mailbox; no session is
 * required, because mails are often opened on another device. Password reset links mailed to the old address end.
 * @throws Failure 422 on `token`; 409 when another account has the address by now
 */
export async function confirmEmailChange(
  database: Database,
  token: string,
  confirmation: Confirmation,
): Promise<ConfirmedEmail> {
  const requested = await database.system
    .selectFrom('email_change')
    .select(['account_id', 'email'])
    .where('token_hash', '=', linkHash(token))
    .executeTakeFirst();
  if (!requested) throw invalidLink();
  return database.system
    .transaction()
    .execute((trx) =>
      confirm(trx, { ...confirmation, accountId: requested.account_id, email: requested.email, token }),
    );
}

type Link = Confirmation & { accountId: string; email: string; token: string };

async function confirm(trx: Transaction<Schema>, link: Link): Promise<ConfirmedEmail> {
  const { accountId, email, address } = link;
  // Before the link: a password change locks the account and then deletes the link. Together with an account that has the
  // new address, because two people may exchange theirs.
  const holders = await trx
    .selectFrom('account')
    .select(['id', 'email_verified_at'])
    .where('email', '=', email)
    .where('id', '<>', accountId)
    .execute();
  const unverified = link.displaces && holders.some((holder) => holder.email_verified_at === null);
  const displaced = unverified ? await displaceUnverified(trx, email, [accountId]) : undefined;
  await lockAccounts(trx, [accountId, ...holders.map((holder) => holder.id)]);
  const before = await trx
    .selectFrom('account')
    .select(['email', 'first_name as firstName', 'last_name as lastName'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  const used = await trx
    .deleteFrom('email_change')
    .where('account_id', '=', accountId)
    .where('token_hash', '=', linkHash(link.token))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('email')
    .executeTakeFirst();
  if (!before || !used) throw invalidLink();
  const actor = { accountId, actor: actorOf(before), address };
  const verifiedOnly = used.email.toLowerCase() === before.email.toLowerCase();
  if (verifiedOnly) await recordAccountActivity(trx, actor, { action: 'account.email-verified' });
  else await change(trx, actor, { from: before.email, to: used.email });
  await markVerified(trx, accountId);
  const organizationIds = await organizationsOf(trx, accountId);
  return { account: { accountId, organizationIds }, displaced, verifiedOnly };
}

async function change(
  trx: Transaction<Schema>,
  actor: { accountId: string; actor: string; address: string },
  email: { from: string; to: string },
): Promise<void> {
  const { accountId } = actor;
  await deleteStrandedAccount(trx, email.to);
  await trx
    .updateTable('account')
    .set({ email: email.to })
    .where('id', '=', accountId)
    .execute()
    .catch((error: unknown) => {
      throw isTaken(error) ? new Failure('conflict', 'Another account already uses this address.') : error;
    });
  await trx.deleteFrom('password_reset').where('account_id', '=', accountId).execute();
  await requestMail(trx, {
    kind: 'account-changed',
    email: email.from,
    subjectId: accountId,
    detail: 'email',
  });
  await recordAccountActivity(trx, actor, {
    action: 'account.email-changed',
    detail: { changes: { email } },
  });
}
