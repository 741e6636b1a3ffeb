import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { migrations, type MigrationStep, stepsOf } from '@riskboard/migrations';
import { limitOptions, type SessionLimits, sessionLimits } from '../connection/session-limits.ts';
import { lockAccessRepair, tryMigrationLock, tryStructureLock } from '../locks/maintenance-locks.ts';
import { loadCatalogue } from '../cwe/load-catalogue.ts';
import { requireUtf8 } from './encoding.ts';
import { readAsOwner } from './pending-migrations.ts';
import { ensureBackupAccess, repairAccess } from './repair-access.ts';
import { ensureRoles } from './roles.ts';
import { NewerSchema } from './schema-state.ts';
import { UnsuitableDatabase } from './unsuitable-database.ts';

/** How often a process looks whether another one that migrates, or a backup, has ended, in milliseconds. */
const pollMs = 200;

/** Ten attempts of 30 s each outlast any transaction that an old process may still run. */
const attempts = 10;

/** SQLSTATE lock_not_available. */
const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';

interface MigrationOptions {
  /** Called when the migration waits for a backup or restore. */
  onWait?: () => void;
  /** Ends that wait. */
  signal?: AbortSignal | undefined;
  /** Whether DATABASE_SYSTEM_URL is set. The login of DATABASE_URL must then get no further rights. */
  hasSystemLogin?: boolean;
}

/**
 * Migrates the database to the newest version while processes of the previous version run, repairs roles
 * and privileges that a restore with other tools has lost, and loads the catalogue of weaknesses. Several processes may call it at once: one migrates and the others wait. A wait for a
 * lock that is too long is repeated, and so is an interrupted build of an index at the next call. A backup is waited for
 * without a lock of a table, for which the old processes would wait too.
 * @throws NewerSchema when a newer version has migrated the database
 * @throws UnsuitableDatabase when the user does not own the database, or may neither create nor grant the roles
 * @throws WrongEncoding when a new database is not UTF8
 * @throws the first migration's error, named; everything of its transaction is rolled back.
 */
export async function migrateToLatest(
  databaseUrl: string,
  limits: SessionLimits = sessionLimits.migrator,
  settings: MigrationOptions = {},
): Promise<void> {
  const options = limitOptions(limits);
  await withOwner(databaseUrl, options, async (owner) => {
    // First, because roles do not help a user that is not the owner.
    await requireOwner(owner, isNotOwner, settings);
    await ensureRoles(owner);
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, options });
  // The error of a statement reaches its caller; an error event of a connection must not end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await withOwner(databaseUrl, options, (owner) => migrate(db, owner, settings));
    await withOwner(databaseUrl, options, async (owner) => {
      await lockAccessRepair(owner);
      await repairAccess(owner);
      await ensureBackupAccess(owner);
    });
    await loadCatalogue(db);
  } finally {
    await db.destroy();
  }
}

async function withOwner(
  databaseUrl: string,
  options: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, options });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function migrate(db: Kysely<unknown>, owner: pg.Client, settings: MigrationOptions): Promise<void> {
  while (!(await tryMigrationLock(owner))) await sleep(pollMs);
  if ((await readMissing(owner)).length === 0) return;
  await waitForBackup(owner, settings);
  // A restore may have ended meanwhile.
  const missing = await readMissing(owner);
  await requireOwner(owner, mayNotCreate, settings);
  // Databases of earlier versions, which did not check it, go on; `doctor` names them.
  if (missing[0] === Object.keys(await migrations.getMigrations())[0]) await requireUtf8(owner);
  for (const step of await stepsOf(missing)) await apply(db, step);
}

/** @throws NewerSchema */
async function readMissing(owner: pg.Client): Promise<string[]> {
  const { missing, unknown } = await readAsOwner(owner);
  if (unknown.length > 0) throw new NewerSchema(unknown);
  return missing;
}

const mayNotCreate = `not has_schema_privilege(to_regnamespace('public'), 'create')`;
/** Owns neither the database nor what migrations have created; in an empty one, may not create tables either. */
const isNotOwner = `not pg_has_role(datdba, 'usage') and not coalesce(
  (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('kysely_migration')),
  has_schema_privilege(to_regnamespace('public'), 'create'))`;

/** @throws UnsuitableDatabase when the condition is true, as for a user that does not own the database */
async function requireOwner(
  client: pg.Client,
  condition: string,
  { hasSystemLogin = false }: MigrationOptions,
): Promise<void> {
  const { rows } = await client.query<{ login: string; database: string; owner: string }>(
    `select quote_ident(current_user) as login, quote_ident(datname) as database, quote_ident(pg_get_userbyid(datdba)) as owner
     from pg_database where datname = current_database() and ${condition}`,
  );
  const [denied] = rows;
  if (denied === undefined) return;
  const { login, database, owner } = denied;
  const remedy = hasSystemLogin
    ? 'Set DATABASE_OWNER_URL to the address of the owner.'
    : `Set the owner's address (DATABASE_OWNER_URL, or DATABASE_URL without it), or let an administrator run: alter database ${database} owner to ${login};`;
  throw new UnsuitableDatabase(
    `The database user ${login} may not create tables in the database ${database}, which belongs to ${owner}. ${remedy}`,
  );
}

/** Until the connection ends, no backup begins. */
async function waitForBackup(owner: pg.Client, { onWait, signal }: MigrationOptions): Promise<void> {
  if (await tryStructureLock(owner)) return;
  onWait?.();
  do await sleep(pollMs, undefined, { signal });
  while (!(await tryStructureLock(owner)));
}

async function apply(db: Kysely<unknown>, { last, isConcurrent }: MigrationStep): Promise<void> {
  const migrator = new Migrator({ db, provider: migrations, disableTransactions: isConcurrent });
  for (let attempt = 1; ; attempt += 1) {
    const { error, results } = await migrator.migrateTo(last);
    if (!error) return;
    if (isLockTimeout(error) && attempt < attempts) continue;
    const failed = results?.find((result) => result.status === 'Error');
    throw new Error(failed ? `Migration ${failed.migrationName} failed` : 'The migration failed', {
      cause: error,
    });
  }
}
