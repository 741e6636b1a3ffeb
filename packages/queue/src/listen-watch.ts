import type { Pool, PoolClient } from 'pg';
import { settles } from './deadline.ts';

const everyMs = 5000;

/**
 * Asks sessions that stay borrowed (BullMQ's LISTEN: nothing else keeps one for so long) whether they are alive, and
 * makes those fail that do not answer. BullMQ trusts LISTEN for up to an hour, and a session whose network died without a word
 * would be listened to until TCP gives up after 11 minutes; a new one is opened as soon as it hears of an error.
 * @returns ends the watch
 */
export function watchListeners(pool: Pool, answerMs: number): () => void {
  const borrowedAt = new Map<PoolClient, number>();
  pool.on('acquire', (client) => borrowedAt.set(client, performance.now()));
  pool.on('release', (_error, client) => borrowedAt.delete(client));
  pool.on('remove', (client) => borrowedAt.delete(client));

  const timer = setInterval(() => {
    for (const [client, since] of borrowedAt) {
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
    if (borrowedAt.delete(client)) client.emit('error', new Error('A LISTEN session fell silent'));
  }

  return () => clearInterval(timer);
}
