import { type Database, rowLock, type Schema } from '@riskboard/db';
import type { Transaction } from 'kysely';
import { credentialColumns } from '../accounts/credentials.ts';
import { underAttemptLimits } from '../accounts/login-failures.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { type CodeOwner, underCodeLimit, WrongCode } from '../second-factor/code-limit.ts';
import { consumeCode, isGuessable } from '../second-factor/consume-code.ts';
import type { Seal } from '../second-factor/seal.ts';
import { passwordMatches } from './hash.ts';

export interface Confirmed {
  email: string;
  /** The hash that matched; a change of the account must require that it is still stored. */
  passwordHash: string;
}

type Confirming = Pick<Caller, 'accountId' | 'address' | 'device'>;

/**
 * Checks the password of a signed-in person under the limits of signing in, so that a stolen session cannot be used to
 * guess it.
 * @throws Failure 403 wrong_password, 429
 */
export async function confirmPassword(
  database: Database,
  caller: Confirming,
  password: string,
): Promise<Confirmed> {
  return checkPassword(database, { caller, password }, async () => undefined);
}

/**
 * Checks the password and, where a second factor is set up, a code: required to change what signing in depends on
 * (ASVS 5.0, 7.5.1), of the caller or of members. The code is used up.
 * @throws Failure 403 wrong_password or wrong_code; 422 on `code` without one; 429
 */
export async function confirmIdentity(
  { database, seal }: { database: Database; seal: Seal },
  caller: Confirming,
  { password, code = '' }: { password: string; code?: string | undefined },
): Promise<Confirmed> {
  return checkPassword(database, { caller, password }, async (account) => {
    if (!account.totpSecret) return;
    if (code.trim() === '') throw invalidField('code', 'Enter a code of your authenticator app.');
    await confirmCode({ database, seal }, { account, code, address: caller.address });
  });
}

async function confirmCode(
  { database, seal }: { database: Database; seal: Seal },
  presented: { account: CodeOwner; code: string; address: string },
): Promise<void> {
  const check = () => database.system.transaction().execute((trx) => consumeCode(trx, seal, presented));
  try {
    await (isGuessable(presented.code) ? underCodeLimit(database, presented, check) : check());
  } catch (error) {
    if (!(error instanceof WrongCode)) throw error;
    const { message } = error;
    throw new Failure('wrong_code', message, { details: [{ path: 'code', message }] });
  }
}

/** @param more checked after the password, under the same limits */
async function checkPassword(
  database: Database,
  { caller, password }: { caller: Confirming; password: string },
  more: (account: CodeOwner) => Promise<void>,
): Promise<Confirmed> {
  const account = await database.system
    .selectFrom('account')
    .select(credentialColumns)
    .where('id', '=', caller.accountId)
    .executeTakeFirst();
  if (!account) throw new Failure('session_expired');
  const { email, passwordHash } = account;
  const attempt = { email, address: caller.address, device: caller.device };
  return underAttemptLimits(database, attempt, async () => {
    if (!(await passwordMatches(passwordHash, password))) throw new Failure('wrong_password');
    await more(account);
    return { email, passwordHash };
  });
}

/**
 * Locks the account of a confirmed password. A password that changed in the meantime has ended what this request would
 * create.
 * @throws Failure 403 wrong_password
 */
export async function lockConfirmed(
  trx: Transaction<Schema>,
  { accountId }: Pick<Caller, 'accountId'>,
  { passwordHash }: Confirmed,
): Promise<void> {
  const locked = await trx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('password_hash', '=', passwordHash)
    .modifyEnd(rowLock(trx, { name: 'account', id: accountId, mode: 'no key update' }))
    .executeTakeFirst();
  if (!locked) throw new Failure('wrong_password');
}
