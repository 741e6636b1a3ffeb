import { type Database, rowLock, type Schema } from '@riskboard/db';
import { type Kysely, sql } from 'kysely';
import { recordAccountActivity } from '../accounts/account-activity.ts';
import { readAddress } from '../accounts/email-change/verification.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import { confirmIdentity } from '../passwords/confirm-password.ts';
import { type Renewed, type Renewing, renewSession } from '../sessions/renew-session.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import type { Seal } from './seal.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

interface SetUpDeps {
  database: Database;
  seal: Seal;
  /** A second factor needs a confirmed address: otherwise it could lock out the person whose address it is. */
  verifyEmail: boolean;
}

/** @throws Failure 403 email_unverified */
async function requireVerified(system: Kysely<Schema>, { accountId }: Caller): Promise<void> {
  const { verified } = await readAddress(system, accountId);
  if (!verified) throw new Failure('email_unverified');
}

/**
 * Creates a pending secret, which `confirmSetUp` activates. To replace a second factor needs a code of it.
 * @throws Failure 403 wrong_password, wrong_code or email_unverified; 422 on `code`; 429
 */
export async function beginSetUp(
  { database, seal, verifyEmail }: SetUpDeps,
  caller: Caller,
  proof: { password: string; code?: string | undefined },
): Promise<{ secret: string; uri: string }> {
  const { email } = await confirmIdentity({ database, seal }, caller, proof);
  if (verifyEmail) await requireVerified(database.system, caller);
  const secret = newTotpSecret();
  await database.system
    .updateTable('account')
    .set({ totp_pending: seal.close(secret, caller.accountId) })
    .where('id', '=', caller.accountId)
    .execute();
  return { secret, uri: totpUri(secret, email) };
}

export interface SetUp extends Renewed {
  recoveryCodes: string[];
}

/**
 * Enables the second factor by a first code of the pending secret, which cannot be used to sign in afterwards. A new session
 * replaces the caller's; all other sessions end.
 * @throws Failure 409 when no set-up is pending, 403 email_unverified, 422 on `code`
 */
export function confirmSetUp(
  { database, seal, verifyEmail }: SetUpDeps,
  { caller, device }: Renewing,
  code: string,
): Promise<SetUp> {
  const { accountId } = caller;
  return database.system.transaction().execute(async (trx) => {
    const account = await trx
      .selectFrom('account')
      .select(['email', 'totp_pending'])
      .where('id', '=', accountId)
      .modifyEnd(rowLock(trx, { name: 'account', id: accountId, mode: 'no key update' }))
      .executeTakeFirst();
    const pending = account?.totp_pending && seal.open(account.totp_pending, accountId);
    if (!account || !pending) throw new Failure('conflict', 'No set-up is in progress. Start again.');
    if (verifyEmail) await requireVerified(trx, caller);
    const step = stepOfCode(pending.secret, code, Date.now());
    if (step === undefined) throw invalidField('code', 'Invalid code. Enter the next one from your app.');
    await trx
      .updateTable('account')
      .set({
        totp_secret: seal.close(pending.secret, accountId),
        totp_enabled_at: sql<Date>`now()`,
        totp_last_step: step,
        totp_pending: null,
      })
      .where('id', '=', accountId)
      .execute();
    const recoveryCodes = await replaceRecoveryCodes(trx, accountId);
    const others = await endSessionsOf({ system: trx }, { accountId, except: caller.sessionId });
    const { signedIn, ended } = await renewSession({ system: trx }, { caller, device });
    await requestMail(trx, {
      kind: 'account-changed',
      email: account.email,
      detail: 'second-factor-enabled',
    });
    await recordAccountActivity(trx, caller, { action: 'account.second-factor-enabled' });
    return { recoveryCodes, signedIn, ended: [...ended, ...others] };
  });
}
