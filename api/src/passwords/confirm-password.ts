import { type Database, rowLock, type Schema } from '@riskboard/db';
import type { Transaction } from 'kysely';
import { underAttemptLimits } from '../accounts/login-failures.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { passwordMatches } from './hash.ts';

export interface Confirmed {
  email: string;
  /** The hash that matched; a change of the account must require that it is still stored. */
  passwordHash: string;
}

/**
 * Checks the password of a signed-in person under the limits of signing in, so that a stolen session cannot be used to
 * guess it.
 * @throws Failure 403 wrong_password, 429
 */
export async function confirmPassword(
  database: Database,
  caller: Pick<Caller, 'accountId' | 'address'>,
  password: string,
): Promise<Confirmed> {
  const account = await database.system
    .selectFrom('account')
    .select(['email', 'password_hash'])
    .where('id', '=', caller.accountId)
    .executeTakeFirst();
  if (!account) throw new Failure('session_expired');
  return underAttemptLimits(database, { email: account.email, address: caller.address }, async () => {
    if (!(await passwordMatches(account.password_hash, password))) throw new Failure('wrong_password');
    return { email: account.email, passwordHash: account.password_hash };
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
