import type { Database } from '@riskboard/db';
import { recordAccountActivity } from '../accounts/account-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import { confirmIdentity } from '../passwords/confirm-password.ts';
import { type Renewed, type Renewing, renewSession } from '../sessions/renew-session.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import type { Seal } from './seal.ts';
import { dropSecondFactor, isRequired, secondFactorState } from './state.ts';

/**
 * Disables the caller's second factor, and replaces their session by a new one.
 * @returns undefined without a second factor: nothing is done then
 * @throws Failure 403 wrong_password or wrong_code, 422 on `code`, 409 while one of their organizations requires it, 429
 */
export async function disableSecondFactor(
  { database, seal }: { database: Database; seal: Seal },
  { caller, device }: Renewing,
  proof: { password: string; code?: string | undefined },
): Promise<Renewed | undefined> {
  const { email } = await confirmIdentity({ database, seal }, caller, proof);
  return database.system.transaction().execute(async (trx) => {
    if (await isRequired(trx, caller.accountId))
      throw new Failure('conflict', 'One of your organizations requires a second factor.');
    if (!(await dropSecondFactor(trx, caller.accountId))) return undefined;
    const renewed = await renewSession({ system: trx }, { caller, device });
    await requestMail(trx, { kind: 'account-changed', email, detail: 'second-factor-disabled' });
    await recordAccountActivity(trx, caller, { action: 'account.second-factor-disabled' });
    return renewed;
  });
}

/**
 * Replaces the caller's recovery codes.
 * @throws Failure 403 wrong_password or wrong_code, 422 on `code`, 409 without a second factor, 429
 */
export async function renewRecoveryCodes(
  { database, seal }: { database: Database; seal: Seal },
  caller: Caller,
  proof: { password: string; code?: string | undefined },
): Promise<string[]> {
  const { email } = await confirmIdentity({ database, seal }, caller, proof);
  return database.system.transaction().execute(async (trx) => {
    const { enabled } = await secondFactorState(trx, caller.accountId);
    if (!enabled) throw new Failure('conflict', 'Set up a second factor first.');
    const codes = await replaceRecoveryCodes(trx, caller.accountId);
    await requestMail(trx, { kind: 'account-changed', email, detail: 'recovery-codes-renewed' });
    await recordAccountActivity(trx, caller, { action: 'account.recovery-codes-renewed' });
    return codes;
  });
}
