import { newId, type Schema } from '@riskboard/db';
import { type Kysely, sql } from 'kysely';
import { type Activity, activityRow } from '../lib/activity/record-activity.ts';

/** Who a deed on a whole account is written down for: the person themself, or nobody known. */
export interface Doer {
  /** Null for a stranger. */
  accountId: string | null;
  actor: string;
  address: string;
}

/** Where somebody belongs. */
export async function organizationsOf(system: Kysely<Schema>, accountId: string): Promise<string[]> {
  const rows = await system
    .selectFrom('membership')
    .select('organization_id')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map((row) => row.organization_id);
}

/**
 * Writes a deed into the logs of these organisations by one statement, which is the same when there are none: a
 * failed sign-in costs as much whether the address has an account or not. An organisation that went in the meantime
 * has no log any more.
 */
export async function recordInAll(
  system: Kysely<Schema>,
  { organizationIds, ...doer }: Doer & { organizationIds: readonly string[] },
  activity: Activity,
): Promise<void> {
  const row = activityRow(
    { ...doer, accountId: doer.accountId ?? '', tokenId: null, organizationId: '' },
    activity,
  );
  const ids = organizationIds.map(() => newId());
  await sql`
    insert into activity (id, organization_id, account_id, actor, address, via, action, noun, noun_id, name, detail)
    select entry.id, organization_id, ${doer.accountId}::uuid, ${row.actor}, ${row.address}, ${row.via},
      ${row.action}, ${row.noun}, ${row.noun_id}::uuid, ${row.name}, ${row.detail}::jsonb
    from unnest(${ids}::uuid[], ${[...organizationIds]}::uuid[]) as entry (id, organization_id)
    join organization using (organization_id)`.execute(system);
}

/** A person's deed on their own account, in the log of every organisation that they belong to. */
export async function recordOwnDeed(
  system: Kysely<Schema>,
  doer: Doer & { accountId: string },
  deed: { action: `account.${string}`; detail?: Record<string, unknown> },
): Promise<void> {
  const organizationIds = await organizationsOf(system, doer.accountId);
  await recordInAll(
    system,
    { accountId: doer.accountId, actor: doer.actor, address: doer.address, organizationIds },
    { ...deed, noun: 'accounts', nounId: doer.accountId, name: doer.actor },
  );
}
