import type { Transaction } from 'kysely';
import { anyOf } from '../any-of.ts';
import { lockAccounts } from '../locks/account-locks.ts';
import type { Schema } from '../tables.ts';

/**
 * Deletes those of these accounts that have no membership left, with everything that belongs to them. Runs under the
 * system role after the memberships are deleted. The lock comes first: a user who is joining another organization at
 * this moment keeps the account.
 */
export async function deleteAccountsWithoutMembership(
  system: Transaction<Schema>,
  accountIds: readonly string[],
): Promise<void> {
  if (accountIds.length === 0) return;
  await lockAccounts(system, accountIds);
  await system
    .deleteFrom('account')
    .where('id', '=', anyOf(accountIds))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('membership')
            .select('membership.account_id')
            .whereRef('membership.account_id', '=', 'account.id'),
        ),
      ),
    )
    .execute();
}
