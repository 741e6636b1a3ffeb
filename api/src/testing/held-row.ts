import type { Schema } from '@riskboard/db';
import { sql, type Transaction } from 'kysely';
import { vi } from 'vitest';
import type { TestApi } from './start-api.ts';

interface Lock {
  /** The role that may lock the row. */
  as: 'app' | 'system';
  take(trx: Transaction<Schema>): Promise<unknown>;
}

/**
 * Starts calls while a row is locked, releases the lock when all of them wait for it, and returns their results, so
 * that they always contend for this lock.
 */
export async function whileHeld<T>(
  { database }: TestApi,
  { as: role, take }: Lock,
  calls: (() => Promise<T>)[],
): Promise<T[]> {
  // Of the other role: the calls may take every other connection of this one.
  const observer = database[role === 'app' ? 'system' : 'app'];
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(observer);
    if (rows[0]?.n !== calls.length) throw new Error(`${rows[0]?.n} of ${calls.length} wait`);
  };
  const begun: Promise<T>[] = [];
  await database[role].transaction().execute(async (trx) => {
    await take(trx);
    begun.push(...calls.map((call) => call()));
    await vi.waitFor(waiting, { interval: 20 });
  });
  return Promise.all(begun);
}
