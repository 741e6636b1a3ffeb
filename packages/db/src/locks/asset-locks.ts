import { sql } from 'kysely';
import { type LockTransaction, takeLock } from './lock-order.ts';

/**
 * For a transaction that writes assets, projects or relations of assets, or deletes related records: one at a time in an
 * organization. Without it two requests could close a cycle of relations that neither sees. Relations change the counts
 * in the rows of assets (migration 0020): without it two transactions that relate the same assets in another order would
 * wait for each other.
 */
export async function lockAssets(trx: LockTransaction): Promise<void> {
  takeLock(trx, { name: 'assets', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(hashtextextended('assets ' || current_organization()::text, 0))`.execute(
    trx,
  );
}
