import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import type { Database } from './connection/client.ts';
import { isSilence } from './connection/silent-connections.ts';
import { requestChangesData } from './jobs/request-scope.ts';
import { currentRunSession } from './jobs/run-sessions.ts';
import type { Schema } from './tables.ts';

export type OrganizationTransaction = Transaction<Schema>;

/** The transaction that the current code runs in, while it is open. */
const current = new AsyncLocalStorage<{ open: boolean }>();

/**
 * Runs a transaction in a slot of its organization, where the pool is shared. Refuses a transaction within another one:
 * with all slots taken by such callers, each would wait for the others. Transactions of requests that change data may wait
 * for locks for a long time, so they leave a slot to those that only read.
 */
async function inSlot<T>(
  { slots }: Database,
  { organizationId, mayBlock }: { organizationId: string; mayBlock: boolean },
  transaction: (started: () => void) => Promise<T>,
): Promise<T> {
  if (!slots) return transaction(() => undefined);
  if (current.getStore()?.open)
    throw new Error('A transaction of an organization was opened within another one');
  const work = async (): Promise<T> => {
    const state = { open: true };
    let started = false;
    try {
      return await current.run(state, () => transaction(() => void (started = true)));
    } catch (error) {
      // No connection, or no answer: what waits would fail in the same way, each after the same time.
      if (!started || isSilence(error)) slots.rejectWaiting(error);
      throw error;
    } finally {
      state.open = false;
    }
  };
  return slots.run(organizationId, work, { mayBlock });
}

/**
 * Runs `work` in a transaction that sees one organization and nothing else: row-level security reads the
 * setting made here. The only way to access an organization's tables.
 */
export function withOrganization<T>(
  database: Database,
  organizationId: string,
  work: (trx: OrganizationTransaction) => Promise<T>,
): Promise<T> {
  return inSlot(database, { organizationId, mayBlock: requestChangesData() }, (started) =>
    database.app.transaction().execute(async (trx) => {
      started();
      await enterOrganization(trx, organizationId);
      return work(trx);
    }),
  );
}

/** The same, read-only and with one snapshot of the database for all statements: numbers that must fit each other. */
export function withOrganizationSnapshot<T>(
  database: Database,
  organizationId: string,
  work: (trx: OrganizationTransaction) => Promise<T>,
): Promise<T> {
  return inSlot(database, { organizationId, mayBlock: false }, (started) =>
    database.app
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        started();
        await enterOrganization(trx, organizationId);
        return work(trx);
      }),
  );
}

/**
 * The same with the transaction's connection, for COPY, which the query builder does not support.
 * A connection that failed is closed, not returned to the pool.
 */
export function withOrganizationConnection<T>(
  database: Database,
  organizationId: string,
  work: (trx: OrganizationTransaction, connection: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inSlot(database, { organizationId, mayBlock: requestChangesData() }, (started) =>
    onConnection(database, async (trx, connection) => {
      started();
      await enterOrganization(trx, organizationId);
      return work(trx, connection);
    }),
  );
}

async function onConnection<T>(
  database: Database,
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
    return await db.transaction().execute((trx) => work(trx, connection));
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    connection.release(failure !== undefined);
  }
}

async function enterOrganization(trx: Kysely<Schema>, organizationId: string): Promise<void> {
  const session = currentRunSession();
  const name = session === undefined ? sql`` : sql`, set_config('application_name', ${session}, true)`;
  await sql`select set_config('app.organization_id', ${organizationId}, true) ${name}`.execute(trx);
}
