import { ensureRoles } from '@riskboard/db';
import { migrations } from '@riskboard/migrations';
import { withAdmin } from '@riskboard/testing';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';

/** Migrates an empty database up to and including one migration, as that version did. */
export async function migrateTo(url: string, migration: string): Promise<void> {
  await withAdmin(url, ensureRoles);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { error } = await new Migrator({ db, provider: migrations }).migrateTo(migration);
    if (error) throw error;
  } finally {
    await db.destroy();
  }
}
