import { newId, type OrganizationTransaction } from '@riskboard/db';
import type { Caller } from './caller.ts';

export interface Activity {
  action: string;
  noun: string;
  nounId: string | null;
  /** What a reader of the log needs; never contents or secrets. */
  detail?: Record<string, unknown>;
}

/** Writes down who did what, in the transaction of the deed. */
export async function recordActivity(
  trx: OrganizationTransaction,
  caller: Pick<Caller, 'organizationId' | 'accountId'>,
  activity: Activity,
): Promise<void> {
  await trx
    .insertInto('activity')
    .values({
      id: newId(),
      organization_id: caller.organizationId,
      account_id: caller.accountId,
      action: activity.action,
      noun: activity.noun,
      noun_id: activity.nounId,
      detail: JSON.stringify(activity.detail ?? {}),
    })
    .execute();
}
