import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openDatabase } from '../connection/client.ts';
import { type EmptyDatabase, makeEmptyDatabase, migrateTo } from '../testing/empty-database.ts';
import { migrateToLatest } from './migrate.ts';
import { waitForSchema } from './wait-for-schema.ts';

let empty: EmptyDatabase;
beforeAll(async () => {
  empty = await makeEmptyDatabase();
});
afterAll(() => empty.drop());

it('a worker waits until the migration of its version has ended, and says once why', async () => {
  await migrateTo(empty.url, '0030-weakness-catalogue');
  const database = openDatabase({ url: empty.url, max: 1 });
  const reasons: string[] = [];
  let hasEnded = false;
  let looks = 0;
  try {
    const waiting = waitForSchema(database, {
      onWait: (reason) => reasons.push(reason),
      everyMs: 20,
      onLook: () => void (looks += 1),
    }).then(() => void (hasEnded = true));
    await vi.waitFor(() => expect(reasons).toHaveLength(1));
    expect(reasons[0]).toMatch(/^the schema is older than this program \(missing: .*\): run the migration$/u);
    // The health check of a waiting worker sees that it lives.
    await vi.waitFor(() => expect(looks).toBeGreaterThan(2));
    expect(hasEnded).toBe(false);
    await migrateToLatest(empty.url);
    await waiting;
    expect(reasons).toHaveLength(1);
  } finally {
    await database.close();
  }
});
