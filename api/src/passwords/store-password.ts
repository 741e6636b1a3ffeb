import type { Schema } from '@riskboard/db';
import type { Kysely } from 'kysely';

interface NewHash {
  accountId: string;
  passwordHash: string;
  /** The hash that it replaces; absent: whichever is there. */
  instead?: string;
}

/**
 * Keeps a new password; links that were mailed to set one, or to change the address, end
 * with the old.
 * @returns false when the hash to replace is not there any more
 */
export async function storePassword(
  system: Kysely<Schema>,
  { accountId, passwordHash, instead }: NewHash,
): Promise<boolean> {
  const { numUpdatedRows } = await system
    .updateTable('account')
    .set({ password_hash: passwordHash })
    .where('id', '=', accountId)
    .$if(instead !== undefined, (query) => query.where('password_hash', '=', instead ?? ''))
    .executeTakeFirst();
  for (const links of ['password_reset', 'email_change'] as const)
    await system.deleteFrom(links).where('account_id', '=', accountId).execute();
  return numUpdatedRows > 0n;
}
