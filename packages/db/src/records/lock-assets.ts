import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

const key = sql`hashtextextended('assets ' || current_organization()::text, 0)`;

/**
 * Held until the end of the transaction by whoever writes assets or projects: in one organisation they take turns.
 * Without it two requests could close a circle of relations that neither sees, and a project's deletion would wait
 * for a row of somebody who waits for one of its assets. Taken before any row.
 */
export async function lockAssets(trx: OrganizationTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${key})`.execute(trx);
}

/**
 * Held by whoever relates other records to assets, or deletes records that may be related: they do not wait for each
 * other, only for those who write assets, which are there until they are done. Taken before any row.
 */
export async function holdAssets(trx: OrganizationTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${key})`.execute(trx);
}
