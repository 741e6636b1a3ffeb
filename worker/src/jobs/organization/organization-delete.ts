import { sessionEndedTopic } from '@riskboard/contract';
import {
  deleteAccountsWithoutMembership,
  lockMemberships,
  type OrganizationTransaction,
  rowLock,
  withOrganization,
} from '@riskboard/db';
import { countRows, emptyAtOnce, emptyTable, type OwnRows } from './empty-table.ts';
import { type OwnTable, ownTables } from './tables.ts';
import type { JobContext, JobHandler } from '../run/context.ts';
import { JobFailure } from '../run/failures.ts';

type Context = JobContext<'organization.delete'>;

/** Kept until the end, so that an owner can follow the progress. */
const kept = new Set(['organization', 'membership']);

/**
 * Deletes an organization: its rows in batches, then its members, then its own row and with it this job. Every step can be
 * repeated, so that a run can continue where an interrupted one stopped.
 */
export const organizationDelete: JobHandler<'organization.delete'> = async (context) => {
  const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
    withOrganization(context.deps.database, context.organizationId, work);
  const tables = await inside(async (trx) => {
    await requireDeletion(trx);
    return ownTables(trx);
  });
  const everything = tables.filter(({ name }) => !kept.has(name)).map((table) => rowsOf(table, context));
  const deleted = await emptyTables(context, inside, everything);
  await deleteMembers(context);
  await inside((trx) => finish(trx, context, { everything, deleted }));
  return [];
};

/** The running job is deleted last, with the organization. */
const rowsOf = (table: OwnTable, { job }: Context): OwnRows =>
  table.name === 'job' ? { table, except: job.id } : { table };

/** @throws JobFailure if the deletion of the organization was not requested: it cannot be undone */
async function requireDeletion(trx: OrganizationTransaction): Promise<void> {
  const organization = await trx.selectFrom('organization').select('deleting_at').executeTakeFirst();
  if (!organization?.deleting_at) {
    throw new JobFailure('not_requested', 'The deletion of the organization was not requested.');
  }
}

async function emptyTables(
  { signal, progress }: Context,
  inside: Parameters<typeof emptyTable>[0],
  everything: readonly OwnRows[],
): Promise<number> {
  let total = 0;
  for (const rows of everything) total += await inside((trx) => countRows(trx, rows));
  let done = 0;
  for (const rows of everything) {
    for await (const deleted of emptyTable(inside, rows)) {
      done += deleted;
      progress({ phase: 'deleting', done, total: Math.max(done, total) });
      signal.throwIfAborted();
    }
  }
  return done;
}

/**
 * Deletes the memberships with their sessions and tokens, and the accounts without another membership, and closes their
 * sockets. In one transaction, because the accounts cannot be found once the memberships are deleted; under the system
 * role, because accounts belong to several organizations.
 */
async function deleteMembers({ deps, organizationId }: Context): Promise<void> {
  const sessions = await deps.database.system.transaction().execute(async (system) => {
    const members = await lockMemberships(system, organizationId);
    const live = await system
      .selectFrom('session')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('ended_at', 'is', null)
      .execute();
    await system.deleteFrom('membership').where('organization_id', '=', organizationId).execute();
    await deleteAccountsWithoutMembership(system, members);
    return live;
  });
  const published = await Promise.allSettled(
    sessions.map(({ id }) => deps.relay.publish(sessionEndedTopic(id), { sessionId: id })),
  );
  const failed = published.filter(({ status }) => status === 'rejected').length;
  if (failed > 0)
    deps.log.warn({ failed }, 'ended sessions not published; their sockets close at the next check');
}

/** The lock of the organization prevents new rows; rows that were added since their table was emptied are deleted too. */
async function finish(
  trx: OrganizationTransaction,
  { organizationId, finish: end }: Context,
  { everything, deleted }: { everything: readonly OwnRows[]; deleted: number },
): Promise<void> {
  await trx
    .selectFrom('organization')
    .select('organization_id')
    .modifyEnd(rowLock(trx, { name: 'organization', mode: 'update' }))
    .execute();
  let late = 0;
  for (const rows of everything) late += await emptyAtOnce(trx, rows);
  await end(trx, { deleted: deleted + late });
  await trx.deleteFrom('organization').where('organization_id', '=', organizationId).execute();
}
