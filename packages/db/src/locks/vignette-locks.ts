import { sql } from 'kysely';
import { type LockTransaction, takeLock } from './lock-order.ts';

/**
 * For a transaction that writes vignettes: one at a time in an organization. Two uploads of one new name are one created
 * and one replaced, versions are consecutive, and two vignettes can exchange their names.
 */
export async function lockVignettes(trx: LockTransaction): Promise<void> {
  takeLock(trx, { name: 'vignettes', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(hashtextextended('vignettes ' || current_organization()::text, 0))`.execute(
    trx,
  );
}
