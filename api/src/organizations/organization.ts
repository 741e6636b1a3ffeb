import type { Call, Organization, organizations } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { changesOf } from '@riskboard/domain';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { actAsOwner, requireConfirmed } from './ownership.ts';

/** Reads the caller's organization. */
export async function readOrganization(trx: OrganizationTransaction): Promise<Organization> {
  const row = await trx
    .selectFrom('organization')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('membership')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('members'),
    )
    .executeTakeFirstOrThrow(() => new Failure('not_found'));
  return {
    _id: row.organization_id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    members: row.members ?? 0,
    requireSecondFactor: row.require_second_factor,
    autoRecalculateCwss: row.auto_recalculate_cwss,
    deletingSince: row.deleting_at?.toISOString() ?? null,
  };
}

/** @throws Failure 422 when the caller has no second factor and would lock themselves out */
async function requireOwnSecondFactor(trx: OrganizationTransaction, caller: Caller): Promise<void> {
  const own = await trx
    .selectFrom('account')
    .select('totp_enabled_at')
    .where('id', '=', caller.accountId)
    .executeTakeFirst();
  if (!own?.totp_enabled_at)
    throw invalidField('requireSecondFactor', 'Set up a second factor for yourself first.');
}

/**
 * Changes the name or the rules. @returns whether anything changed
 * @throws Failure 422 on `requireSecondFactor`; 422 on `password` when it is turned off without confirmation
 */
export async function updateOrganization(
  trx: OrganizationTransaction,
  caller: Caller,
  {
    body: { name, requireSecondFactor, autoRecalculateCwss },
    confirmed,
  }: { body: Call<typeof organizations.update>['body']; confirmed: boolean },
): Promise<boolean> {
  const row = await actAsOwner(trx, caller);
  const before = {
    name: row.name,
    requireSecondFactor: row.require_second_factor,
    autoRecalculateCwss: row.auto_recalculate_cwss,
  };
  const changes = changesOf(before, { name, requireSecondFactor, autoRecalculateCwss }, [
    'name',
    'requireSecondFactor',
    'autoRecalculateCwss',
  ]);
  if (Object.keys(changes).length === 0) return false;
  if (requireSecondFactor) await requireOwnSecondFactor(trx, caller);
  else if (changes.requireSecondFactor) requireConfirmed(confirmed, 'stop requiring a second factor');
  await trx
    .updateTable('organization')
    .set({
      name,
      require_second_factor: requireSecondFactor,
      auto_recalculate_cwss: autoRecalculateCwss,
    })
    .where('organization_id', '=', caller.organizationId)
    .execute();
  await recordActivity(trx, caller, {
    action: 'organization.updated',
    nounId: caller.organizationId,
    name: name ?? row.name,
    detail: { changes },
  });
  return true;
}
