import { cancelJobs, insertJob, type JobRow, type OrganizationTransaction, selectJobs } from '@riskboard/db';
import { sql } from 'kysely';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { invalidField } from '../lib/http/failure.ts';
import { actAsOwner } from './ownership.ts';

/** What an organisation without a name is called (spec 1). */
const unnamed = 'Organization not set';

/** What the start of a deletion brings with it, to be told after the commit. */
export interface StartedDeletion {
  job: JobRow;
  cancelled: JobRow[];
  endedSessions: string[];
}

/**
 * Begins to delete an organisation: nothing is written in it from now on, no work goes on, nobody but the caller stays
 * signed in and nobody new comes. The job does the rest; there is no way back.
 * @throws Failure 422 when the name is not typed as it is
 */
export async function startDeletion(
  trx: OrganizationTransaction,
  caller: Caller,
  typedName: string,
): Promise<StartedDeletion> {
  const { name } = await actAsOwner(trx, caller);
  const expected = name || unnamed;
  if (typedName.trim() !== expected) throw invalidField('name', `Type the name as it is: ${expected}`);
  await trx
    .updateTable('organization')
    .set({ deleting_at: sql<Date>`now()` })
    .where('organization_id', '=', caller.organizationId)
    .execute();
  const cancelled = await cancelJobs(trx, { all: true });
  await trx.deleteFrom('invitation').execute();
  await trx.deleteFrom('api_token').execute();
  const ended = await trx
    .updateTable('session')
    .set({ ended_at: sql<Date>`now()` })
    .where('ended_at', 'is', null)
    .where('id', 'is distinct from', caller.sessionId)
    .returning('id')
    .execute();
  const jobId = await insertJob(trx, {
    kind: 'organization.delete',
    payload: {},
    organizationId: caller.organizationId,
    createdBy: caller.accountId,
  });
  await recordActivity(trx, caller, {
    action: 'organization.deletion-started',
    noun: 'organization',
    nounId: caller.organizationId,
    name,
  });
  const job = await selectJobs(trx).where('job.id', '=', jobId).executeTakeFirstOrThrow();
  return { job, cancelled, endedSessions: ended.map((session) => session.id) };
}
