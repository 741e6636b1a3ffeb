import pg from 'pg';

/** A complete connection fails with a SQLSTATE, also one that the server refuses: it answers. */
const sqlState = /^[0-9A-Z]{5}$/u;

/**
 * A check whether a server answers a new connection within `withinMs`. A statement without an answer does not say whether
 * it is slow or the server is frozen; a new connection does. Simultaneous calls share one check.
 */
export function serverCheck(options: pg.PoolOptions, withinMs: number): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return () => (running ??= check(options, withinMs).finally(() => (running = undefined)));
}

async function check(options: pg.PoolOptions, withinMs: number): Promise<boolean> {
  const client = new pg.Client({ ...options, connectionTimeoutMillis: 0 });
  client.on('error', () => undefined);
  const { promise: silence, resolve } = Promise.withResolvers<boolean>();
  // In a busy process the answer can have arrived when the timer is due: it is read before `setImmediate`.
  const timer = setTimeout(() => setImmediate(() => resolve(false)), withinMs);
  const answer = client.connect().then(
    () => true,
    (error: unknown) => error instanceof pg.DatabaseError && sqlState.test(error.code ?? ''),
  );
  const answers = await Promise.race([answer, silence]);
  clearTimeout(timer);
  void client.end().catch(() => undefined);
  return answers;
}
