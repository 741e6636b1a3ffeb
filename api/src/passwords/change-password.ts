import type { Call, passwords } from '@riskboard/contract';
import type { Database } from '@riskboard/db';
import { recordAccountActivity } from '../accounts/account-activity.ts';
import { Failure } from '../lib/http/failure.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import { type Renewed, type Renewing, renewSession } from '../sessions/renew-session.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { revokeTokensOf } from '../tokens/tokens.ts';
import type { Seal } from '../second-factor/seal.ts';
import { refuseCommonPassword } from './common-password.ts';
import { confirmIdentity } from './confirm-password.ts';
import { hashPassword } from './hash.ts';
import { storePassword } from './store-password.ts';

/**
 * Changes the caller's password. A new session replaces the caller's; every other session of the account ends, and its API
 * tokens if requested.
 * @throws Failure 403 wrong_password or wrong_code, 422 on `password` or `code`, 429
 */
export async function changePassword(
  { database, seal }: { database: Database; seal: Seal },
  { current, code, password, revokeTokens }: Call<typeof passwords.change>['body'],
  { caller, device }: Renewing,
): Promise<Renewed> {
  const { email, passwordHash } = await confirmIdentity({ database, seal }, caller, {
    password: current,
    code,
  });
  await refuseCommonPassword(password, email);
  const changed = await hashPassword(password);

  return database.system.transaction().execute(async (trx) => {
    const { accountId } = caller;
    if (!(await storePassword(trx, { accountId, passwordHash: changed, replaces: passwordHash })))
      throw new Failure('wrong_password');
    const tokens = revokeTokens ? await revokeTokensOf(trx, accountId) : [];
    const others = await endSessionsOf({ system: trx }, { accountId, except: caller.sessionId });
    const { signedIn, ended } = await renewSession({ system: trx }, { caller, device });
    await requestMail(trx, { kind: 'account-changed', email, detail: 'password' });
    await recordAccountActivity(trx, caller, {
      action: 'account.password-changed',
      detail: { sessionsEnded: others.length, tokensRevoked: tokens.length },
    });
    return { signedIn, ended: [...ended, ...others, ...tokens] };
  });
}
