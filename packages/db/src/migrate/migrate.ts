import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { migrations } from '@riskboard/migrations';
import { loadCatalogue } from '../cwe/load-catalogue.ts';
import { ensureRoles } from './roles.ts';

/**
 * Brings the database to the newest migration, and the catalogue of weaknesses into it. Several processes may call it
 * at once: the migrator locks.
 * @throws the first migration's error, named; everything of the failed one is rolled back.
 */
export async function migrateToLatest(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await ensureRoles(client);
  } finally {
    await client.end();
  }
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  // A statement's error reaches its caller. What else a connection says, on its way out for one, must not end the
  // process.
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { error, results } = await new Migrator({ db, provider: migrations }).migrateToLatest();
    if (!error) return await loadCatalogue(db);
    const failed = results?.find((result) => result.status === 'Error');
    throw new Error(`Migration ${failed?.migrationName ?? ''} failed`, { cause: error });
  } finally {
    await db.destroy();
  }
}
