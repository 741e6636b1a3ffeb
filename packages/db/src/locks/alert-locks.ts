import { sql } from 'kysely';
import { type LockTransaction, takeLock } from './lock-order.ts';

/**
 * For a transaction that writes alerts, rules, webhooks or deliveries of an organization: one at a time, so that two
 * evaluations do not consume the same changes.
 */
export async function lockAlerts(trx: LockTransaction): Promise<void> {
  takeLock(trx, { name: 'alerts', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(hashtextextended('alerts ' || current_organization()::text, 0))`.execute(
    trx,
  );
}
