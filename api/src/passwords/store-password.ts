import type { Schema } from '@riskboard/db';
import type { Kysely } from 'kysely';
import { forgetWrongCodes } from '../second-factor/code-limit.ts';

interface NewHash {
  accountId: string;
  passwordHash: string;
  /** The hash that must be stored now; absent: any. */
  replaces?: string;
}

/**
 * Stores a new password, forgets wrong codes of the second factor, and deletes the account's links to set a password or to change the address.
 * @returns false when the hash to replace is no longer stored
 */
export async function storePassword(
  system: Kysely<Schema>,
  { accountId, passwordHash, replaces }: NewHash,
): Promise<boolean> {
  const { numUpdatedRows } = await system
    .updateTable('account')
    .set({ password_hash: passwordHash })
    .where('id', '=', accountId)
    .$if(replaces !== undefined, (query) => query.where('password_hash', '=', replaces ?? ''))
    .executeTakeFirst();
  for (const links of ['password_reset', 'email_change'] as const)
    await system.deleteFrom(links).where('account_id', '=', accountId).execute();
  await forgetWrongCodes(system, accountId);
  return numUpdatedRows > 0n;
}
