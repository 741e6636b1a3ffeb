import { newId, type OrganizationTransaction } from '@riskboard/db';
import type { Caller } from '../security/caller.ts';

export interface Activity {
  /** Noun and verb, as in `report.uploaded`. */
  action: string;
  noun: string;
  nounId: string | null;
  /** Name at this time, readable after the record is deleted. */
  name?: string;
  /** Details for a reader of the log; never contents or secrets. */
  detail?: Record<string, unknown>;
}

/** Who acts, as stored in the log; an unknown person has no account. */
export type Actor = Pick<Caller, 'organizationId' | 'actor' | 'address' | 'tokenId'> & {
  accountId: string | null;
};

/** Records an activity in the transaction of the change. */
export async function recordActivity(
  trx: OrganizationTransaction,
  caller: Actor,
  activity: Activity,
): Promise<void> {
  await trx.insertInto('activity').values(activityRow(caller, activity)).execute();
}

/** The row of an entry, for callers that insert it under the system's role, such as signing in. */
export const activityRow = (caller: Actor, activity: Activity) => ({
  id: newId(),
  organization_id: caller.organizationId,
  account_id: caller.accountId,
  actor: caller.actor,
  address: caller.address,
  via: caller.tokenId === null ? ('session' as const) : ('token' as const),
  action: activity.action,
  noun: activity.noun,
  noun_id: activity.nounId,
  name: activity.name ?? '',
  detail: JSON.stringify(activity.detail ?? {}),
});
