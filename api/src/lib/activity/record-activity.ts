import { newId, type OrganizationTransaction } from '@riskboard/db';
import type { Caller } from '../security/caller.ts';

export interface Activity {
  /** Noun and verb, as in `report.uploaded`. */
  action: string;
  noun: string;
  nounId: string | null;
  /** What the thing is called now: the log must read well when it is gone. */
  name?: string;
  /** What a reader of the log needs; never contents or secrets. */
  detail?: Record<string, unknown>;
}

/** Who did it, as the log keeps it; a stranger has no account. */
export type Actor = Pick<Caller, 'organizationId' | 'actor' | 'address' | 'tokenId'> & {
  accountId: string | null;
};

/** Writes down who did what, in the transaction of the deed. */
export async function recordActivity(
  trx: OrganizationTransaction,
  caller: Actor,
  activity: Activity,
): Promise<void> {
  await trx.insertInto('activity').values(activityRow(caller, activity)).execute();
}

/** The row, for those who write it under the system's role: nobody is in an organisation while signing in. */
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
