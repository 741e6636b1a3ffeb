import type { Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * An account lives as long as it belongs to an organisation: deletes those of these that belong to none any more, with
 * all that is theirs. Under the system's role, after the memberships are gone. The lock comes first, so that somebody
 * who joins another organisation meanwhile is seen.
 */
export async function dropStrandedAccounts(
  system: Transaction<Schema>,
  accountIds: readonly string[],
): Promise<void> {
  if (accountIds.length === 0) return;
  await system
    .selectFrom('account')
    .select('id')
    .where('id', 'in', accountIds)
    .orderBy('id')
    .forUpdate()
    .execute();
  await system
    .deleteFrom('account')
    .where('id', 'in', accountIds)
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
