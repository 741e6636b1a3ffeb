import type { Role } from '@riskboard/contract';
import { type Database, type OrganizationTable, type OrganizationTransaction, rowLock } from '@riskboard/db';
import type { Selectable } from 'kysely';
import type { Caller } from '../lib/security/caller.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { confirmPassword } from '../passwords/confirm-password.ts';

export type OrganizationRow = Selectable<OrganizationTable>;

/**
 * Locks the organisation for a change of members or roles, so that two owners who demote each other concurrently do not
 * both succeed. The lock does not conflict with the key-share locks of foreign keys: other writes do not wait.
 */
export function lockOrganization(trx: OrganizationTransaction): Promise<OrganizationRow> {
  return trx
    .selectFrom('organization')
    .selectAll()
    .modifyEnd(rowLock(trx, { name: 'organization', mode: 'no key update' }))
    .executeTakeFirstOrThrow(() => new Failure('not_found'));
}

/**
 * Locks the organisation for an owner's action and checks the role again: another owner may have changed it while this
 * request waited for the lock.
 * @throws Failure role_too_low; conflict while the organisation is being deleted
 */
export async function actAsOwner(trx: OrganizationTransaction, caller: Caller): Promise<OrganizationRow> {
  const organization = await lockOrganization(trx);
  if (organization.deleting_at) throw new Failure('conflict', 'The organization is being deleted.');
  const own = await trx
    .selectFrom('membership')
    .select('role')
    .where('account_id', '=', caller.accountId)
    .executeTakeFirst();
  if (own?.role !== 'owner') throw new Failure('role_too_low');
  return organization;
}

/**
 * Requires the caller's password to give owner rights: a session at an unlocked screen must not create an owner.
 * @throws Failure 422 on `password`, 403 wrong_password, 429
 */
export async function confirmGrant(
  database: Database,
  caller: Caller,
  { role, password }: { role: Role; password?: string | undefined },
): Promise<void> {
  if (role !== 'owner') return;
  if (password === undefined) throw invalidField('password', 'Enter your password to give owner rights.');
  await confirmPassword(database, caller, password);
}

/** Call under the organisation's lock. @throws Failure 409 when this person is the only owner */
export async function requireAnotherOwner(trx: OrganizationTransaction, accountId: string): Promise<void> {
  const another = await trx
    .selectFrom('membership')
    .select('account_id')
    .where('role', '=', 'owner')
    .where('account_id', '<>', accountId)
    .limit(1)
    .executeTakeFirst();
  if (!another) {
    throw new Failure('conflict', 'An organization needs an owner. Make another member the owner first.');
  }
}
