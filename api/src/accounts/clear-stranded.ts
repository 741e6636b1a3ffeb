import { deleteAccountsWithoutMembership, type Schema } from '@riskboard/db';
import type { Transaction } from 'kysely';

/** An account whose last organisation went in the meantime is no obstacle to whoever takes its address. */
export async function clearStranded(trx: Transaction<Schema>, email: string): Promise<void> {
  const known = await trx.selectFrom('account').select('id').where('email', '=', email).execute();
  await deleteAccountsWithoutMembership(
    trx,
    known.map((account) => account.id),
  );
}
