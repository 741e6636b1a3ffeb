import { deleteAccountsWithoutMembership, lockAccounts, newId, rowLock, type Schema } from '@riskboard/db';
import { actorOf } from '@riskboard/domain';
import { sql, type Transaction } from 'kysely';
import { organizationsOf, recordInOrganizations } from './account-activity.ts';

/** An account that lost its address, with its organizations, to publish after the commit. */
export interface Displaced {
  accountId: string;
  organizationIds: string[];
}

/** In a reserved domain that never receives mail (RFC 2606, 2); random, so that no one can take it in advance. */
const placeholderAddress = (): string => `unverified-${newId()}@displaced.invalid`;

/**
 * Frees an address that its account never confirmed, for a person who has proved to own the mailbox. The account keeps
 * what it created under a placeholder address, and loses the memberships that it got by invitations to this address
 * (decision 0025). Call before other locks on accounts.
 * @param alsoLock accounts that the transaction changes too: accounts are locked together
 * @returns undefined when no such account exists
 */
export async function displaceUnverified(
  trx: Transaction<Schema>,
  email: string,
  alsoLock: readonly string[] = [],
): Promise<Displaced | undefined> {
  const account = await trx
    .selectFrom('account')
    .select(['id', 'email', 'first_name as firstName', 'last_name as lastName'])
    .where('email', '=', email)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst();
  if (!account) return undefined;
  const accountId = account.id;
  await lockInvitedOwnerships(trx, accountId);
  await lockAccounts(trx, [accountId, ...alsoLock]);
  const placeholder = placeholderAddress();
  const { numUpdatedRows } = await trx
    .updateTable('account')
    .set({ email: placeholder })
    .where('id', '=', accountId)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  // A link that was mailed to the address must not open the account that no longer has it.
  await trx.deleteFrom('password_reset').where('account_id', '=', accountId).execute();
  const organizationIds = await organizationsOf(trx, accountId);
  // Without a network address: it is the claimant's, and the entry is visible to the displaced account.
  await recordInOrganizations(
    trx,
    { accountId, actor: actorOf(account), address: '', organizationIds },
    {
      action: 'account.address-claimed',
      nounId: accountId,
      name: actorOf(account),
      detail: { changes: { email: { from: account.email, to: placeholder } } },
    },
  );
  await endInvitedMemberships(trx, accountId);
  await deleteAccountsWithoutMembership(trx, [accountId]);
  return { accountId, organizationIds };
}

/** Locks the organizations whose owners may become fewer, so that none is left without an owner. */
async function lockInvitedOwnerships(trx: Transaction<Schema>, accountId: string): Promise<void> {
  const owned = await trx
    .selectFrom('membership')
    .select('organization_id')
    .where('account_id', '=', accountId)
    .where('invited', '=', true)
    .where('role', '=', 'owner')
    .orderBy('organization_id')
    .execute();
  for (const { organization_id: id } of owned) {
    await trx
      .selectFrom('organization')
      .select('organization_id')
      .where('organization_id', '=', id)
      .modifyEnd(rowLock(trx, { name: 'organization', id, mode: 'no key update' }))
      .execute();
  }
}

/** The last owner of an organization stays. */
async function endInvitedMemberships(trx: Transaction<Schema>, accountId: string): Promise<void> {
  await sql`
    delete from membership m
    where m.account_id = ${accountId} and m.invited and (m.role <> 'owner' or exists (
      select from membership other
      where other.organization_id = m.organization_id and other.account_id <> m.account_id
        and other.role = 'owner'))`.execute(trx);
}
