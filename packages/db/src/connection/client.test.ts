import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { checkServing } from './check-serving.ts';
import { openDatabase } from './client.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

it.each(['app', 'system'] as const)(
  'sessions of the role %s compile no statements, however the server is set',
  async (role) => {
    const { rows } = await sql`select setting, source from pg_settings where name = 'jit'`.execute(
      database[role],
    );
    expect(rows).toEqual([{ setting: 'off', source: 'client' }]);
  },
);

it('connections whose start-up options are dropped are refused, because their role would be the login', async () => {
  const address = new URL(database.clone.url);
  // Replaces the options of the pool, as a pooler that drops them does.
  address.searchParams.set('options', '-c jit=off');
  const other = openDatabase({ url: address.href, max: 1 });
  onTestFinished(() => other.close());
  for (const role of [other.app, other.system])
    await expect(sql`select from organization`.execute(role)).rejects.toThrow(/instead of riskboard_/u);
  expect(await checkServing(other)).toMatch(/instead of riskboard_app: its start-up options/u);
});
