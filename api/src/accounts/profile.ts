import type { accounts, Call } from '@riskboard/contract';
import { type Database, rowLock } from '@riskboard/db';
import { changesOf } from '@riskboard/domain';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';
import { organizationsOf, recordAccountActivity } from './account-activity.ts';

/**
 * Changes the caller's own name.
 * @returns ids of their organizations; empty when nothing changed
 */
export function updateProfile(
  database: Database,
  body: Call<typeof accounts.updateMe>['body'],
  caller: Caller,
): Promise<string[]> {
  const { accountId } = caller;
  return database.system.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('account')
      .select(['first_name as firstName', 'last_name as lastName'])
      .where('id', '=', accountId)
      .modifyEnd(rowLock(trx, { name: 'account', id: accountId, mode: 'no key update' }))
      .executeTakeFirst();
    if (!before) throw new Failure('session_expired');
    const changes = changesOf(before, body, ['firstName', 'lastName']);
    if (Object.keys(changes).length === 0) return [];
    const { firstName, lastName } = { ...before, ...body };
    await trx
      .updateTable('account')
      .set({ first_name: firstName, last_name: lastName })
      .where('id', '=', accountId)
      .execute();
    await recordAccountActivity(trx, caller, { action: 'account.updated', detail: { changes } });
    return organizationsOf(trx, accountId);
  });
}
