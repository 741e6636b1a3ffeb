import { sql } from 'kysely';
import { waitForRuns } from '../connection/session-limits.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { takeLock } from './lock-order.ts';

/**
 * For a transaction that writes vignettes: one at a time in an organization. Two uploads of one new name are one created
 * and one replaced, versions are consecutive, and two vignettes can exchange their names. Waits for a bulk calculation
 * that saves its scores, some of which then become stale.
 */
export async function lockVignettes(trx: OrganizationTransaction): Promise<void> {
  await waitForRuns(trx);
  takeLock(trx, { name: 'vignettes', strength: 'exclusive' });
  await sql`select pg_advisory_xact_lock(hashtextextended('vignettes ' || current_organization()::text, 0))`.execute(
    trx,
  );
}
