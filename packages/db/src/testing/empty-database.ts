import { migrations } from '@riskboard/migrations';
import { createEmptyDatabase, createTestDatabase, withClient } from '@riskboard/testing';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { ensureRoles } from '../migrate/roles.ts';

export interface EmptyDatabase {
  /** For its owner, who is not a superuser. */
  url: string;
  adminUrl: string;
  /** A migrated database of the same owner. */
  cloneUrl: string;
  drop(): Promise<void>;
}

/** A database without tables, for migrations. */
export async function makeEmptyDatabase(): Promise<EmptyDatabase> {
  const clone = await createTestDatabase();
  const { url, adminUrl, drop } = await createEmptyDatabase();
  return {
    url,
    adminUrl,
    cloneUrl: clone.url,
    async drop() {
      await drop();
      await clone.drop();
    },
  };
}

/** Migrates up to and including one migration. */
export async function migrateTo(url: string, migration: string): Promise<void> {
  await withClient(url, ensureRoles);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { error } = await new Migrator({ db, provider: migrations }).migrateTo(migration);
    if (error) throw error;
  } finally {
    await db.destroy();
  }
}
