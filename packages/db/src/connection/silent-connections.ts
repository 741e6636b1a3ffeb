import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** What pg says when `query_timeout` is over. */
const silence = 'Query read timeout';
/** Beginning a transaction is no work: who does not answer it is not there. pg's types do not know the field. */
const begin: pg.QueryConfig & { query_timeout: number } = { text: 'begin', query_timeout: 2000 };

/**
 * A pool that gives a connection up once it has left a query unanswered, and with it those that have not been heard
 * of since: a firewall that forgets one has forgotten all. pg alone would lend them again, and everybody who got one
 * would wait as long; Kysely's rollback would be the first.
 */
export function impatientPool(pool: pg.Pool): PostgresPool {
  /** When each connection last answered, by performance.now(). */
  const heard = new WeakMap<pg.PoolClient, number>();
  let suspectBefore = 0;

  async function borrow(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect();
      if ((heard.get(client) ?? Infinity) >= suspectBefore) return client;
      client.release(true);
    }
  }

  function lend(client: pg.PoolClient): PostgresPoolClient {
    let silent: Error | undefined;
    async function query(text: string, values: unknown[]): Promise<unknown> {
      if (silent) throw silent;
      const asked = performance.now();
      try {
        const answer = await client.query(text === begin.text ? begin : { text, values });
        heard.set(client, performance.now());
        return answer;
      } catch (error) {
        if (error instanceof Error && error.message === silence) {
          silent = error;
          suspectBefore = Math.max(suspectBefore, asked);
        }
        throw error;
      }
    }
    return { query: query as PostgresPoolClient['query'], release: () => client.release(silent) };
  }

  // Whoever opened the pool ends it: Kysely would end only one that it has used.
  return { options: pool.options, connect: async () => lend(await borrow()), end: async () => undefined };
}
