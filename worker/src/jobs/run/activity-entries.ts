import { type ActivityAction, activityActions, type ActivityDetail, type JobKind } from '@riskboard/contract';
import { newId, type OrganizationTransaction } from '@riskboard/db';
import { actorOf, plural } from '@riskboard/domain';
import type { JobContext } from './context.ts';

/** One entry of the activity log; its `nounId` is null when it covers several rows. */
export interface ActivityEntry {
  nounId: string | null;
  name: string;
  detail: ActivityDetail;
}

/** One entry for all rows, such as '1 asset' or '1,200 assets'; none for no rows. */
export function countEntry(
  count: number,
  [one, many]: readonly [string, string],
  detail: ActivityDetail = {},
): ActivityEntry[] {
  if (count === 0) return [];
  return [{ nounId: null, name: plural(count, one, many), detail: { ...detail, count } }];
}

/** A statement takes 65,535 parameters. */
const entriesPerInsert = 1000;

/** Writes what a job did into the activity log, under the name of the user who requested it. */
export async function recordEntries(
  trx: OrganizationTransaction,
  { job, organizationId }: Pick<JobContext<JobKind>, 'job' | 'organizationId'>,
  { action, entries }: { action: ActivityAction; entries: readonly ActivityEntry[] },
): Promise<void> {
  if (entries.length === 0) return;
  const user = job.created_by
    ? await trx
        .selectFrom('account')
        .select(['first_name as firstName', 'last_name as lastName', 'email'])
        .where('id', '=', job.created_by)
        .executeTakeFirst()
    : undefined;
  const common = {
    organization_id: organizationId,
    account_id: job.created_by,
    actor: user ? actorOf(user) : '',
    action,
    noun: activityActions[action].noun,
  };
  for (let from = 0; from < entries.length; from += entriesPerInsert) {
    const rows = entries.slice(from, from + entriesPerInsert).map(({ nounId, name, detail }) => ({
      ...common,
      id: newId(),
      noun_id: nounId,
      name,
      detail: JSON.stringify(detail),
    }));
    await trx.insertInto('activity').values(rows).execute();
  }
}
