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

/** What lets an owner watch stays until nothing else is there. */
const kept = new Set(['organization', 'membership']);

/**
 * Deletes an organisation: its rows in batches, then its people, then its own row and with it this job. Every step may be
 * done again, so that a run which was ended anywhere is gone on with by the next.
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
  await dismissMembers(context);
  await inside((trx) => finish(trx, context, { everything, deleted }));
  return [];
};

/** The job itself is the last of its organisation's. */
const rowsOf = (table: OwnTable, { job }: Context): OwnRows =>
  table.name === 'job' ? { table, except: job.id } : { table };

/** @throws JobFailure for an organisation that nobody asked to delete: there is no way back from here. */
async function requireDeletion(trx: OrganizationTransaction): Promise<void> {
  const organization = await trx.selectFrom('organization').select('deleting_at').executeTakeFirst();
  if (!organization?.deleting_at) {
    throw new JobFailure('not_asked', 'Nobody asked to delete the organization.');
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
 * Ends the memberships with their sessions and tokens, and the accounts that belong to no other organisation; tells the
 * sockets. The system's role does it, in one transaction: once the memberships are gone nobody knows whose they were.
 */
async function dismissMembers({ deps, organizationId }: Context): Promise<void> {
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
  const told = await Promise.allSettled(
    sessions.map(({ id }) => deps.relay.publish(sessionEndedTopic(id), { sessionId: id })),
  );
  const missed = told.filter(({ status }) => status === 'rejected').length;
  if (missed > 0) deps.log.warn({ missed }, 'ended sessions not told; their sockets notice by themselves');
}

/** Under the lock of the organisation nothing new comes in; what came in until now goes with the rest. */
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
