import { type OrganizationTable, type OrganizationTransaction, rowLock } from '@riskboard/db';
import type { Selectable } from 'kysely';
import type { Caller } from '../lib/security/caller.ts';
import { Failure } from '../lib/http/failure.ts';

export type OrganizationRow = Selectable<OrganizationTable>;

/**
 * Held until the end by whoever changes who is in an organisation and as what, so that two owners who demote each other
 * at once leave one. Weaker than what a foreign key asks for: nobody else waits.
 */
export function lockOrganization(trx: OrganizationTransaction): Promise<OrganizationRow> {
  return trx
    .selectFrom('organization')
    .selectAll()
    .modifyEnd(rowLock(trx, { name: 'organization', mode: 'no key update' }))
    .executeTakeFirstOrThrow(() => new Failure('not_found'));
}

/**
 * The same for a deed of an owner. The role was checked when the request came in; another owner may have changed it
 * while this one waited for the lock.
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

/** @throws Failure 409 when nobody but this person owns the organisation. Under its lock only. */
export async function requireAnotherOwner(trx: OrganizationTransaction, accountId: string): Promise<void> {
  const another = await trx
    .selectFrom('membership')
    .select('account_id')
    .where('role', '=', 'owner')
    .where('account_id', '<>', accountId)
    .limit(1)
    .executeTakeFirst();
  if (!another) {
    throw new Failure('conflict', 'An organization needs an owner. Make somebody else the owner first.');
  }
}
