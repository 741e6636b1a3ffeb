import type { Database } from '@riskboard/db';
import { underAttemptLimits } from '../accounts/login-failures.ts';
import type { Caller } from '../lib/caller.ts';
import { Failure } from '../lib/failure.ts';
import { passwordMatches } from '../passwords/hash.ts';

/**
 * What cannot be undone asks for the password once more, under the limits of signing in: a stolen session is not enough.
 * @throws Failure 403 wrong_password; 429 after too many of them
 */
export async function confirmPassword(database: Database, caller: Caller, password: string): Promise<void> {
  const { email, password_hash: stored } = await database.system
    .selectFrom('account')
    .select(['email', 'password_hash'])
    .where('id', '=', caller.accountId)
    .executeTakeFirstOrThrow(() => new Failure('session_expired'));
  await underAttemptLimits(database, { email, address: caller.address }, async () => {
    if (!(await passwordMatches(stored, password))) throw new Failure('wrong_password');
  });
}
