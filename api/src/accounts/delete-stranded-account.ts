import { deleteAccountsWithoutMembership, type Schema } from '@riskboard/db';
import type { Transaction } from 'kysely';

/** Deletes an account without an organization, so that its address can be used again. */
export async function deleteStrandedAccount(trx: Transaction<Schema>, email: string): Promise<void> {
  const known = await trx.selectFrom('account').select('id').where('email', '=', email).execute();
  await deleteAccountsWithoutMembership(
    trx,
    known.map((account) => account.id),
  );
}
