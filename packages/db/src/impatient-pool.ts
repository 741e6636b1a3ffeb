import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** What pg says when `query_timeout` is over. */
const silence = 'Query read timeout';

/**
 * A pool that gives a connection up once it has left a query unanswered. pg alone would lend it again, and everybody
 * who got it would wait as long; Kysely's rollback would be the first.
 */
export const impatientPool = (pool: pg.Pool): PostgresPool => ({
  options: pool.options,
  connect: async () => lend(await pool.connect()),
  end: () => pool.end(),
});

function lend(client: pg.PoolClient): PostgresPoolClient {
  let silent: Error | undefined;
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    if (silent) throw silent;
    try {
      return await client.query(text, values);
    } catch (error) {
      if (error instanceof Error && error.message === silence) silent = error;
      throw error;
    }
  };
  return { query: query as PostgresPoolClient['query'], release: () => client.release(silent) };
}
