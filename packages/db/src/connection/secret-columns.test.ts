import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { databaseRoles } from './roles.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

/** Columns with hashes and encrypted secrets that a role may read, as table.column. */
async function readableSecrets(role: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.attname ~ '(hash|secret|password)' and has_column_privilege(${role}, c.oid, a.attnum, 'select')
    order by 1`.execute(database.system);
  return rows.map(({ name }) => name);
}

it('the role that serves requests can read no hash and no encrypted secret', async () => {
  expect(await readableSecrets(databaseRoles.app)).toEqual([]);
  expect(await readableSecrets(databaseRoles.search)).toEqual([]);
  expect(await readableSecrets(databaseRoles.system)).toEqual(
    expect.arrayContaining(['account.password_hash', 'account.totp_secret', 'session.refresh_hash']),
  );
});
