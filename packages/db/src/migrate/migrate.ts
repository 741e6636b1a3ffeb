import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { migrations } from '@riskboard/migrations';
import { limitOptions, type SessionLimits, sessionLimits } from '../connection/session-limits.ts';
import { loadCatalogue } from '../cwe/load-catalogue.ts';
import { ensureRoles } from './roles.ts';

/** Ten attempts of 30 s each outlast any transaction that an old process may still run. */
const attempts = 10;

/** SQLSTATE lock_not_available. */
const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';

/**
 * Migrates the database to the newest version and loads the catalogue of weaknesses. Several processes may call it at
 * once: the migrator locks, and a wait that is too long is repeated.
 * @throws the first migration's error, named; everything of the failed one is rolled back.
 */
export async function migrateToLatest(
  databaseUrl: string,
  limits: SessionLimits = sessionLimits.migrator,
): Promise<void> {
  const options = limitOptions(limits);
  const client = new pg.Client({ connectionString: databaseUrl, options });
  await client.connect();
  try {
    await ensureRoles(client);
  } finally {
    await client.end();
  }
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options });
  // The error of a statement reaches its caller; an error event of a connection must not end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrate(db);
    await loadCatalogue(db);
  } finally {
    await db.destroy();
  }
}

async function migrate(db: Kysely<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { error, results } = await new Migrator({ db, provider: migrations }).migrateToLatest();
    if (!error) return;
    if (isLockTimeout(error) && attempt < attempts) continue;
    const failed = results?.find((result) => result.status === 'Error');
    throw new Error(`Migration ${failed?.migrationName ?? ''} failed`, { cause: error });
  }
}
