import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from '../test/open.ts';

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
