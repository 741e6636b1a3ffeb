import { cancelJobs, insertJob, type JobRow, type OrganizationTransaction, selectJobs } from '@riskboard/db';
import { isSameName } from '@riskboard/domain';
import { sql } from 'kysely';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { invalidField } from '../lib/http/failure.ts';
import { actAsOwner } from './ownership.ts';

/** Display name of an organization without a name (spec 1). */
const unnamed = 'Organization not set';

/** What starting a deletion changed, to publish after the commit. */
export interface StartedDeletion {
  job: JobRow;
  cancelled: JobRow[];
  endedSessions: string[];
}

/**
 * Starts to delete an organization: refuses further writes, cancels its jobs, deletes its invitations and tokens, and
 * ends all sessions except the caller's. A job does the rest; a deletion cannot be undone.
 * @throws Failure 422 when the typed name differs
 */
export async function startDeletion(
  trx: OrganizationTransaction,
  caller: Caller,
  typedName: string,
): Promise<StartedDeletion> {
  const { name } = await actAsOwner(trx, caller);
  const expected = name || unnamed;
  if (!isSameName(typedName, expected)) throw invalidField('name', `Type the name exactly: ${expected}`);
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
    nounId: caller.organizationId,
    name,
  });
  const job = await selectJobs(trx).where('job.id', '=', jobId).executeTakeFirstOrThrow();
  return { job, cancelled, endedSessions: ended.map((session) => session.id) };
}
