import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './client.ts';
import type { Schema } from './schema.ts';

export type OrganizationTransaction = Transaction<Schema>;

/**
 * Runs `work` in a transaction that sees one organisation and nothing else: row-level security reads the
 * setting made here. The only road to an organisation's tables.
 */
export function withOrganization<T>(
  database: Database,
  organizationId: string,
  work: (trx: OrganizationTransaction) => Promise<T>,
): Promise<T> {
  return database.app.transaction().execute(async (trx) => {
    await enterOrganization(trx, organizationId);
    return work(trx);
  });
}

/** Sets the organisation for the rest of the transaction; for COPY, which brings its own connection. */
export async function enterOrganization(trx: Kysely<Schema>, organizationId: string): Promise<void> {
  await sql`select set_config('app.organization_id', ${organizationId}, true)`.execute(trx);
}
