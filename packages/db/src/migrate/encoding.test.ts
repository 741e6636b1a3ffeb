import { createEmptyDatabase, withClient } from '@riskboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { migrateToLatest } from './migrate.ts';

const sqlAscii = `encoding 'SQL_ASCII' locale_provider libc lc_collate 'C' lc_ctype 'C'`;

it('a new database that is not UTF8 is refused before anything is created in it', async () => {
  const database = await createEmptyDatabase(sqlAscii);
  onTestFinished(() => database.drop());
  await expect(migrateToLatest(database.url)).rejects.toThrow(
    'The database has the encoding SQL_ASCII; Riskboard needs UTF8. Create it with: createdb --owner=OWNER --template=template0 --encoding=UTF8',
  );
  const { rows } = await withClient(database.url, (client) =>
    client.query(`select tablename from pg_tables where schemaname = 'public'`),
  );
  expect(rows).toEqual([]);
});

it('one that an earlier version has migrated goes on', async () => {
  const database = await createEmptyDatabase(sqlAscii);
  onTestFinished(() => database.drop());
  await withClient(database.url, (client) =>
    client.query(`create table kysely_migration (name text primary key, timestamp text not null);
      insert into kysely_migration values ('0001-accounts', now()::text)`),
  );
  // The tables of the first migration are missing here, so that the second one fails: it was tried.
  await expect(migrateToLatest(database.url)).rejects.toThrow(/^Migration 0002/u);
});
