import type { Role } from '@riskboard/contract';
import {
  type Database,
  type OrganizationTable,
  type OrganizationTransaction,
  rowLock,
  withOrganization,
} from '@riskboard/db';
import type { Selectable } from 'kysely';
import type { Caller } from '../lib/security/caller.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { confirmIdentity, confirmPassword } from '../passwords/confirm-password.ts';
import type { Seal } from '../second-factor/seal.ts';

export type OrganizationRow = Selectable<OrganizationTable>;

/**
 * Locks the organization for a change of members or roles, so that two owners who demote each other concurrently do not
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
 * Locks the organization for an owner's action and checks the role again: another owner may have changed it while this
 * request waited for the lock.
 * @throws Failure role_too_low; conflict while the organization is being deleted
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

/** Password and code of a caller who may have sent neither. */
export interface OptionalProof {
  password?: string | undefined;
  code?: string | undefined;
}

/**
 * Checks the caller's password and code where the member is an owner: a session at an unlocked screen must not take the
 * rights of an owner. The change requires the result under the organization's lock.
 * @returns whether both were sent and are right
 * @throws Failure 403 wrong_password or wrong_code, 422 on `code`, 429
 */
export async function confirmForOwner(
  { database, seal }: { database: Database; seal: Seal },
  caller: Caller,
  { accountId, proof: { password, code } }: { accountId: string; proof: OptionalProof },
): Promise<boolean> {
  if (password === undefined) return false;
  const member = await withOrganization(database, caller.organizationId, (trx) =>
    trx.selectFrom('membership').select('role').where('account_id', '=', accountId).executeTakeFirst(),
  );
  if (member?.role !== 'owner') return false;
  await confirmIdentity({ database, seal }, caller, { password, code });
  return true;
}

/** @throws Failure 422 on `password` for a change that needs it, and was not confirmed with it */
export function requireConfirmed(confirmed: boolean, purpose: string): void {
  if (!confirmed) throw invalidField('password', `Enter your password to ${purpose}.`);
}

/** Call under the organization's lock. @throws Failure 409 when this person is the only owner */
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
