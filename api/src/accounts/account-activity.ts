import type { ActivityAction } from '@riskboard/contract';
import { newId, type Schema } from '@riskboard/db';
import { type Kysely, sql } from 'kysely';
import { type Activity, activityRow } from '../lib/activity/record-activity.ts';

/** Who acts on an account: the account's owner or an unknown person. */
export interface AccountActor {
  /** Null for an unknown person. */
  accountId: string | null;
  actor: string;
  address: string;
}

/** Ids of the organizations of an account. */
export async function organizationsOf(system: Kysely<Schema>, accountId: string): Promise<string[]> {
  const rows = await system
    .selectFrom('membership')
    .select('organization_id')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map((row) => row.organization_id);
}

/**
 * Writes an entry into the activity logs of these organizations. The statement is the same for an empty list, so that a
 * failed sign-in takes equal time with and without an account. Organizations deleted in the meantime are skipped.
 */
export async function recordInOrganizations<A extends ActivityAction>(
  system: Kysely<Schema>,
  { organizationIds, ...actor }: AccountActor & { organizationIds: readonly string[] },
  activity: Activity<A>,
): Promise<void> {
  const row = activityRow(
    { ...actor, accountId: actor.accountId ?? '', tokenId: null, organizationId: '' },
    activity,
  );
  const ids = organizationIds.map(() => newId());
  await sql`
    insert into activity (id, organization_id, account_id, actor, address, via, action, noun, noun_id, name, detail)
    select entry.id, organization_id, ${actor.accountId}::uuid, ${row.actor}, ${row.address}, ${row.via},
      ${row.action}, ${row.noun}, ${row.noun_id}::uuid, ${row.name}, ${row.detail}::jsonb
    from unnest(${ids}::uuid[], ${[...organizationIds]}::uuid[]) as entry (id, organization_id)
    join organization using (organization_id)`.execute(system);
}

/** Records what a person did with their own account, in the log of each of their organizations. */
export async function recordAccountActivity<A extends Extract<ActivityAction, `account.${string}`>>(
  system: Kysely<Schema>,
  actor: AccountActor & { accountId: string },
  activity: Pick<Activity<A>, 'action' | 'detail'>,
): Promise<void> {
  const organizationIds = await organizationsOf(system, actor.accountId);
  await recordInOrganizations(
    system,
    { accountId: actor.accountId, actor: actor.actor, address: actor.address, organizationIds },
    { ...activity, nounId: actor.accountId, name: actor.actor },
  );
}
