import pg from 'pg';

/**
 * Does `work` on a connection outside the pool, with the role of the login: the server shows a login what its own sessions do, and lets
 * it end them. Limited to `timeoutMs` for the connection and for each statement.
 */
export async function onLoginConnection(
  options: pg.PoolOptions,
  timeoutMs: number,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({
    ...options,
    options: '-c role=none',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    void client.end().catch(() => undefined);
  }
}
