import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import type { Database } from './connection/client.ts';
import type { Schema } from './tables.ts';

export type OrganizationTransaction = Transaction<Schema>;

/**
 * Runs `work` in a transaction that sees one organisation and nothing else: row-level security reads the
 * setting made here. The only way to access an organisation's tables.
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

/**
 * The same with the transaction's connection, for COPY, which the query builder does not support.
 * A connection that failed is closed, not returned to the pool.
 */
export async function withOrganizationConnection<T>(
  database: Database,
  organizationId: string,
  work: (trx: OrganizationTransaction, connection: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const connection = await database.pool.connect();
  const lent = { query: connection.query.bind(connection), release: () => undefined };
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: {
        options: database.pool.options,
        connect: async () => lent,
        end: async () => undefined,
      },
    }),
  });
  let failure: unknown;
  try {
    return await db.transaction().execute(async (trx) => {
      await enterOrganization(trx, organizationId);
      return work(trx, connection);
    });
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    connection.release(failure !== undefined);
  }
}

async function enterOrganization(trx: Kysely<Schema>, organizationId: string): Promise<void> {
  await sql`select set_config('app.organization_id', ${organizationId}, true)`.execute(trx);
}
