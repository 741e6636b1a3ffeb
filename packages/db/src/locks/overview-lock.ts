import { sql } from 'kysely';
import { type LockTransaction, takeLock } from './lock-order.ts';

/**
 * For a transaction that moves or repairs entries of the overview: one at a time in an organization. Two of them that
 * found the same difference would repair it twice. Writers of records never wait for it.
 */
export async function lockOverview(trx: LockTransaction): Promise<void> {
  takeLock(trx, { name: 'overview', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(hashtextextended('overview ' || current_organization()::text, 0))`.execute(
    trx,
  );
}

/** Starts of recomputations of an organization follow each other, so that each sees whether another one runs. */
export async function lockRecomputationStart(trx: LockTransaction): Promise<void> {
  takeLock(trx, { name: 'overview', key: 'start', strength: 'exclusive' });
  await sql`
    select pg_advisory_xact_lock(hashtextextended('recomputation ' || current_organization()::text, 0))`.execute(
    trx,
  );
}
