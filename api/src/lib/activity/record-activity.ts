import { type ActivityAction, activityActions, type ActivityDetail } from '@riskboard/contract';
import { newId, type OrganizationTransaction } from '@riskboard/db';
import type { Caller } from '../security/caller.ts';

/** An entry of the log. The contract declares the action with its noun and the fields of its detail. */
export interface Activity<A extends ActivityAction = ActivityAction> {
  action: A;
  nounId: string | null;
  /** Name at this time, readable after the record is deleted. */
  name?: string;
  detail?: ActivityDetail<A>;
}

/** Who acts, as stored in the log; an unknown person has no account. */
export type Actor = Pick<Caller, 'organizationId' | 'actor' | 'address' | 'tokenId'> & {
  accountId: string | null;
};

/** Records an activity in the transaction of the change. */
export async function recordActivity<A extends ActivityAction>(
  trx: OrganizationTransaction,
  caller: Actor,
  activity: Activity<A>,
): Promise<void> {
  await trx.insertInto('activity').values(activityRow(caller, activity)).execute();
}

/** The row of an entry, for callers that insert it under the system's role, such as signing in. */
export const activityRow = <A extends ActivityAction>(caller: Actor, activity: Activity<A>) => ({
  id: newId(),
  organization_id: caller.organizationId,
  account_id: caller.accountId,
  actor: caller.actor,
  address: caller.address,
  via: caller.tokenId === null ? ('session' as const) : ('token' as const),
  action: activity.action,
  noun: activityActions[activity.action].noun,
  noun_id: activity.nounId,
  name: activity.name ?? '',
  detail: JSON.stringify(activity.detail ?? {}),
});
