import { readFile } from 'node:fs/promises';
import type { Migration, MigrationProvider } from 'kysely/migration';
import { sql } from 'kysely';

/**
 * Every migration, in order. Forward only: a published file is never edited again. What lies in the bin
 * (`deleted_record`) is as it was when it was deleted: a column that a vulnerability, threat, asset or project gets and
 * that is not null keeps a default, and one that gets another name gets it in the bin as well.
 */
const files = [
  '0001-accounts',
  '0002-jobs',
  '0003-threats-and-vulnerabilities',
  '0004-reports',
  '0005-ingest',
  '0006-trust',
  '0007-desk',
  '0008-email-change',
  '0009-calendar-days',
  '0010-location',
] as const;

const migration = (name: string): Migration => ({
  async up(db) {
    const text = await readFile(new URL(`${name}.sql`, import.meta.url), 'utf8');
    await sql.raw(text).execute(db);
  },
});

export const migrations: MigrationProvider = {
  getMigrations: () => Promise.resolve(Object.fromEntries(files.map((name) => [name, migration(name)]))),
};
