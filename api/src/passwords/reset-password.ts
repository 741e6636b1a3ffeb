import type { Call, passwords } from '@riskboard/contract';
import { type Database, lockAccount } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { sql } from 'kysely';
import { recordAccountActivity } from '../accounts/account-activity.ts';
import { accountKey, forgetFailures } from '../accounts/login-failures.ts';
import { networkOf } from '../lib/security/network-of.ts';
import { linkHash, invalidLink } from '../lib/mail/link-token.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { revokeTokensOf } from '../tokens/tokens.ts';
import { markVerified, readAddress } from '../accounts/email-change/verification.ts';
import { refuseCommonPassword } from './common-password.ts';
import { hashPassword } from './hash.ts';
import { storePassword } from './store-password.ts';

/**
 * Sets a new password by a mailed link. All links and sessions of the account end, and its API
 * tokens if requested; the second factor is kept, because
 * access to a mailbox does not replace it. The link confirms the
 * address; tokens of an account that had not confirmed it always end.
 * @returns ids of the ended sessions and tokens
 * @throws Failure 422 on `token` or `password`; after a refused password the link remains valid
 */
export async function resetPassword(
  { database, verifyEmail }: { database: Database; verifyEmail: boolean },
  { token, password, revokeTokens }: Call<typeof passwords.reset>['body'],
  address: string,
): Promise<string[]> {
  const account = await database.system
    .selectFrom('password_reset')
    .innerJoin('account', 'account.id', 'password_reset.account_id')
    .select([
      'account.id',
      'account.email',
      'account.first_name as firstName',
      'account.last_name as lastName',
    ])
    .where('token_hash', '=', linkHash(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!account) throw invalidLink();
  await refuseCommonPassword(password, account.email);
  const passwordHash = await hashPassword(password);

  return database.system.transaction().execute(async (trx) => {
    // Locks the account first: two links of one account used concurrently would deadlock otherwise.
    await lockAccount(trx, account.id);
    const used = await trx
      .deleteFrom('password_reset')
      .where('token_hash', '=', linkHash(token))
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst();
    if (used.numDeletedRows === 0n) throw invalidLink();
    await storePassword(trx, { accountId: account.id, passwordHash });
    await forgetFailures({ system: trx }, { key: accountKey(account.email), source: networkOf(address) });
    const { verified } = await readAddress(trx, account.id);
    await markVerified(trx, account.id);
    // Another person may have created an account that never confirmed its address.
    const tokens = revokeTokens || (verifyEmail && !verified) ? await revokeTokensOf(trx, account.id) : [];
    const ended = await endSessionsOf({ system: trx }, { accountId: account.id });
    await requestMail(trx, { kind: 'account-changed', email: account.email, detail: 'password-reset' });
    await recordAccountActivity(
      trx,
      { accountId: account.id, actor: actorOf(account), address },
      {
        action: 'account.password-reset',
        detail: { sessionsEnded: ended.length, tokensRevoked: tokens.length },
      },
    );
    return [...ended, ...tokens];
  });
}
