import { sql } from 'kysely';
import { vi } from 'vitest';
import type { TestApi } from '../start-api.ts';

/**
 * Starts calls while the row of an account is locked, releases the lock when all of them wait for it, and returns their
 * results, so that they always contend for this lock.
 */
export async function atTheSameMoment<T>(
  { database }: TestApi,
  accountId: string,
  calls: (() => Promise<T>)[],
): Promise<T[]> {
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(database.app);
    if (rows[0]?.n !== calls.length) throw new Error(`${rows[0]?.n} of ${calls.length} wait`);
  };
  const begun: Promise<T>[] = [];
  await database.system.transaction().execute(async (trx) => {
    await sql`select id from account where id = ${accountId} for update`.execute(trx);
    begun.push(...calls.map((call) => call()));
    await vi.waitFor(waiting, { timeout: 10_000, interval: 20 });
  });
  return Promise.all(begun);
}
