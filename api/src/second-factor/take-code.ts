import type { Schema } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { type Kysely, sql } from 'kysely';
import { recordOwnDeed } from '../accounts/account-activity.ts';
import type { Credentials } from '../accounts/credentials.ts';
import { Failure } from '../lib/http/failure.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import { countRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts';
import type { Seal } from './seal.ts';
import { isAppCode, stepOfCode } from './totp.ts';

interface Presented {
  account: Credentials;
  code: string | undefined;
  address: string;
}

/**
 * Takes the code of a second factor, from the app or from the recovery codes, in the transaction that signs in.
 * @throws Failure 401 second_factor_needed without one, invalid_credentials when it is not valid or used already
 */
export async function takeCode(
  system: Kysely<Schema>,
  seal: Seal,
  { account, code: typed = '', address }: Presented,
): Promise<void> {
  const code = typed.replaceAll(/\s/gu, '');
  if (code === '') throw new Failure('second_factor_needed');
  if (isAppCode(code)) {
    if (await takeTotpCode(system, seal, { account, code })) return;
  } else if (await spendRecoveryCode(system, account.id, code)) {
    await tellRecoveryCodeUsed(system, account, address);
    return;
  }
  throw new Failure('invalid_credentials', 'That code is not valid. Try the next one.');
}

/** A code counts once, and none before it any more (RFC 6238, 5.2). */
async function takeTotpCode(
  system: Kysely<Schema>,
  seal: Seal,
  { account, code }: { account: Credentials; code: string },
): Promise<boolean> {
  const opened = account.totpSecret ? seal.open(account.totpSecret, account.id) : undefined;
  const step = opened && stepOfCode(opened.secret, code, Date.now());
  if (step === undefined) return false;
  const { numUpdatedRows } = await system
    .updateTable('account')
    .set({
      totp_last_step: step,
      ...(opened?.old ? { totp_secret: seal.close(opened.secret, account.id) } : {}),
    })
    .where('id', '=', account.id)
    .where(sql<boolean>`coalesce(totp_last_step, -1) < ${step}`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function tellRecoveryCodeUsed(
  system: Kysely<Schema>,
  account: Credentials,
  address: string,
): Promise<void> {
  const left = await countRecoveryCodes(system, account.id);
  await requestMail(system, { kind: 'account-changed', email: account.email, detail: 'recovery-code-used' });
  await recordOwnDeed(
    system,
    { accountId: account.id, actor: actorOf(account), address },
    { action: 'account.recovery-code-used', detail: { left } },
  );
}
