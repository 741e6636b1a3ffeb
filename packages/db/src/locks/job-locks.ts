import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from '../tables.ts';
import { type LockTransaction, requireOrder, takeLock } from './lock-order.ts';

/** Locks the jobs that a query selects, in the order of their ids. @returns the ids */
export async function lockJobs(
  trx: LockTransaction,
  query: SelectQueryBuilder<Schema, 'job', { id: string }>,
): Promise<string[]> {
  requireOrder(trx, 'job');
  const jobs = await query.orderBy('id').forUpdate().execute();
  for (const { id } of jobs) takeLock(trx, { name: 'job', key: id, strength: 'update' });
  return jobs.map((job) => job.id);
}

/** Requests to score one vulnerability follow each other, also while none of its jobs is queued. */
export async function lockCalculationRequest(trx: LockTransaction, vulnerabilityId: string): Promise<void> {
  takeLock(trx, { name: 'calculation request', key: vulnerabilityId, strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(hashtextextended('calculation ' || ${vulnerabilityId}, 0))`.execute(
    trx,
  );
}

/** Whether this worker may delete outdated rows; another one does it while this is false. Never waits. */
export async function tryHousekeepingLock(trx: LockTransaction): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('housekeeping', 0)) as free`.execute(trx);
  return rows[0]?.free ?? false;
}
