import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** The message of pg's error when `query_timeout` is over. */
const timeoutMessage = 'Query read timeout';
/** BEGIN does no work, so a server that does not answer it is unreachable. The field is missing in pg's types. */
const begin: pg.QueryConfig & { query_timeout: number } = { text: 'begin', query_timeout: 2000 };

/**
 * A pool that closes a connection after a query without an answer, and every idle connection that has not answered
 * since: when a firewall drops one, it has dropped all. pg alone would lend them again, and each borrower would wait for
 * the timeout.
 */
export function closeSilentConnections(pool: pg.Pool): PostgresPool {
  /** When each connection last answered, by performance.now(). */
  const answeredAt = new WeakMap<pg.PoolClient, number>();
  let suspectBefore = 0;

  async function borrow(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect();
      if ((answeredAt.get(client) ?? Infinity) >= suspectBefore) return client;
      client.release(true);
    }
  }

  function lend(client: pg.PoolClient): PostgresPoolClient {
    let silent: Error | undefined;
    async function query(text: string, values: unknown[]): Promise<unknown> {
      if (silent) throw silent;
      const sentAt = performance.now();
      try {
        const answer = await client.query(text === begin.text ? begin : { text, values });
        answeredAt.set(client, performance.now());
        return answer;
      } catch (error) {
        if (error instanceof Error && error.message === timeoutMessage) {
          silent = error;
          suspectBefore = Math.max(suspectBefore, sentAt);
        }
        throw error;
      }
    }
    return { query: query as PostgresPoolClient['query'], release: () => client.release(silent) };
  }

  // The opener of the pool ends it: Kysely would end only a pool that it has used.
  return { options: pool.options, connect: async () => lend(await borrow()), end: async () => undefined };
}
