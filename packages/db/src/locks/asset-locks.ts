import { sql } from 'kysely';
import { type LockTransaction, takeLock } from './lock-order.ts';

const key = sql`hashtextextended('assets ' || current_organization()::text, 0)`;

/**
 * For a transaction that writes assets, projects or their relations: one at a time in an organization. Without it two
 * requests could close a cycle of relations that neither sees.
 */
export async function lockAssets(trx: LockTransaction): Promise<void> {
  takeLock(trx, { name: 'assets', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(${key})`.execute(trx);
}

/** For a transaction that relates records to assets, or deletes related records: no asset is deleted meanwhile. */
export async function lockAssetsShared(trx: LockTransaction): Promise<void> {
  takeLock(trx, { name: 'assets', strength: 'shared' });
  await sql`select pg_advisory_xact_lock_shared(${key})`.execute(trx);
}
