import type { Schema } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { type Kysely, sql } from 'kysely';
import { recordAccountActivity } from '../accounts/account-activity.ts';
import { Failure } from '../lib/http/failure.ts';
import { requestMail } from '../lib/mail/request-mail.ts';
import { type CodeOwner, WrongCode } from './code-limit.ts';
import { countRecoveryCodes, consumeRecoveryCode } from './recovery-codes.ts';
import type { Seal } from './seal.ts';
import { isAppCode, stepOfCode } from './totp.ts';

/** People type codes in groups. */
const withoutSpaces = (code: string): string => code.replaceAll(/\s/gu, '');

/** Whether a code, as typed, is one of the authenticator app: those can be guessed, recovery codes cannot. */
export const isGuessable = (typed: string | undefined): boolean => isAppCode(withoutSpaces(typed ?? ''));

interface Presented {
  account: CodeOwner;
  code: string | undefined;
  address: string;
}

/**
 * Verifies a code of the app or a recovery code and marks it as used, in the transaction that signs in.
 * @throws Failure 401 second_factor_needed without a code; WrongCode for an invalid or used one
 */
export async function consumeCode(
  system: Kysely<Schema>,
  seal: Seal,
  { account, code: typed = '', address }: Presented,
): Promise<void> {
  const code = withoutSpaces(typed);
  if (code === '') throw new Failure('second_factor_needed');
  if (isAppCode(code)) {
    if (await consumeTotpCode(system, seal, { account, code })) return;
  } else if (await consumeRecoveryCode(system, account.id, code)) {
    await recordRecoveryCodeUse(system, account, address);
    return;
  }
  throw new WrongCode();
}

/** A code is accepted once, and no earlier code after it (RFC 6238, 5.2). */
async function consumeTotpCode(
  system: Kysely<Schema>,
  seal: Seal,
  { account, code }: { account: CodeOwner; code: string },
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

async function recordRecoveryCodeUse(
  system: Kysely<Schema>,
  account: CodeOwner,
  address: string,
): Promise<void> {
  const left = await countRecoveryCodes(system, account.id);
  await requestMail(system, { kind: 'account-changed', email: account.email, detail: 'recovery-code-used' });
  await recordAccountActivity(
    system,
    { accountId: account.id, actor: actorOf(account), address },
    { action: 'account.recovery-code-used', detail: { left } },
  );
}
