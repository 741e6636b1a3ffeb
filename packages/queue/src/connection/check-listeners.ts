import type { Pool, PoolClient } from 'pg';
import { settles } from './deadline.ts';

const everyMs = 5000;

/**
 * Queries sessions that stay checked out (only BullMQ's LISTEN keeps one this long) and makes those fail that do not
 * answer. BullMQ trusts LISTEN for up to an hour, and TCP notices a silently lost network only after 11 minutes; BullMQ
 * opens a new session as soon as the old one emits an error.
 * @returns a function that stops the checks
 */
export function checkListeners(pool: Pool, answerMs: number): () => void {
  const checkedOutAt = new Map<PoolClient, number>();
  pool.on('acquire', (client) => checkedOutAt.set(client, performance.now()));
  pool.on('release', (_error, client) => checkedOutAt.delete(client));
  pool.on('remove', (client) => checkedOutAt.delete(client));

  const timer = setInterval(() => {
    for (const [client, since] of checkedOutAt) {
      if (performance.now() - since > everyMs) void check(client);
    }
  }, everyMs);
  timer.unref();

  async function check(client: PoolClient): Promise<void> {
    const answered = client.query('select 1').then(
      () => true,
      () => false,
    );
    if ((await settles(answerMs, answered)) && (await answered)) return;
    if (checkedOutAt.delete(client)) client.emit('error', new Error('A LISTEN session stopped responding'));
  }

  return () => clearInterval(timer);
}
