import {
  checkServing,
  type Database,
  databaseRoles,
  openDatabase,
  otherDatabaseOf,
  pendingMigrations,
  readSchemaState,
  requireSameDatabase,
  UnsuitableDatabase,
} from '@riskboard/db';
import { mayUseQueue } from '@riskboard/queue';
import { sql } from 'kysely';
import { judgeClock } from './check-host.ts';
import { failed, fine, type Finding, messageOf, warning } from './finding.ts';

/** Releases of PostgreSQL that the product is tested with. */
const releases = { least: 15, newest: 18 } as const;
const extensions = ['btree_gin', 'citext', 'pg_trgm'] as const;

/** @param version server_version_num, 180004 for 18.4 */
export function judgeRelease(version: number): Finding {
  const release = Math.floor(version / 10_000);
  const found = `PostgreSQL ${release}`;
  if (release < releases.least)
    return failed('postgresql version', `${found} is too old`, `Use PostgreSQL ${releases.least} or newer.`);
  if (release > releases.newest)
    return warning(
      'postgresql version',
      `${found} is newer than this Riskboard knows`,
      `Use PostgreSQL ${releases.least} to ${releases.newest}, or a newer Riskboard.`,
    );
  return fine('postgresql version', found);
}

const migrate = 'Start Riskboard once with npm start, or run the migration (docs/operations.md).';

interface Addresses {
  ownerUrl: string;
  appUrl?: string | undefined;
  systemUrl?: string | undefined;
  /** Whether the queue is in this database, and not in Redis. */
  hasQueue: boolean;
}

/** With a login of the system, the queue's sessions take its role; without one, they are those of the owner. */
const checkQueue = async ({ systemPool }: Database): Promise<Finding> =>
  (await mayUseQueue(systemPool))
    ? fine('queue', 'its tables can be used')
    : failed('queue', `${databaseRoles.system} may not use its tables, or there are none`, migrate);

/** The owner reads the state of every version; the logins of an api without DATABASE_OWNER_URL read it since 0040. */
async function readMigrations(ownerUrl: string, database: Database): ReturnType<typeof pendingMigrations> {
  try {
    return await pendingMigrations(ownerUrl);
  } catch (error) {
    const insufficientPrivilege = '42501';
    if ((error as { code?: unknown }).code !== insufficientPrivilege) throw error;
    return readSchemaState(database);
  }
}

/** Installations that share a login share its password and what it may read; the migration refuses to change it. */
async function checkLogins(urls: readonly string[]): Promise<Finding[]> {
  if (urls.length === 0) return [];
  const uses = await Promise.all(
    urls.map(async (url) => {
      const other = await otherDatabaseOf(url);
      return other === null ? [] : [`${decodeURIComponent(new URL(url).username)} by the database ${other}`];
    }),
  );
  const shared = uses.flat();
  return [
    shared.length === 0
      ? fine('logins', 'no other database of the server uses them')
      : warning(
          'logins',
          `also used on this server: ${shared.join(', ')}`,
          'Give each installation logins of its own (docs/operations.md, Several installations on one PostgreSQL server).',
        ),
  ];
}

/** Checks release, clock, extensions, roles, migrations, privileges, queue and logins; changes nothing. */
export async function checkDatabase({
  ownerUrl,
  appUrl,
  systemUrl,
  hasQueue,
}: Addresses): Promise<Finding[]> {
  const database = openDatabase({ url: appUrl ?? ownerUrl, systemUrl, max: 2, statementTimeoutMs: 5000 });
  try {
    // Without DATABASE_OWNER_URL the address of the owner is that of DATABASE_URL.
    await requireSameDatabase({ ownerUrl: appUrl && ownerUrl, appUrl: appUrl ?? ownerUrl, systemUrl });
    const startedAt = Date.now();
    const { missing: pending, unknown } = await readMigrations(ownerUrl, database);
    if (unknown.length > 0)
      return [
        failed(
          'migrations',
          `the schema is newer than this program: ${unknown.join(', ')}`,
          'Use the version of Riskboard that migrated the database.',
        ),
      ];
    if (pending.length > 0)
      return [failed('migrations', `${pending.length} are pending: ${pending.join(', ')}`, migrate)];
    const { rows } = await sql<{
      version: number;
      encoding: string;
      now: number;
      extensions: string[];
      roles: string[];
    }>`
      select current_setting('server_version_num')::int as version,
        current_setting('server_encoding') as encoding,
        extract(epoch from clock_timestamp())::float8 * 1000 as now,
        array(select extname::text from pg_extension) as extensions,
        array(select rolname::text from pg_roles) as roles`.execute(database.system);
    const [state] = rows;
    if (!state) return [];
    const offset = state.now - Date.now();
    const missing = extensions.filter((name) => !state.extensions.includes(name));
    const absent = Object.values(databaseRoles).filter((name) => !state.roles.includes(name));
    const problem = await checkServing(database);
    // A slow answer is no difference of clocks.
    const elapsed = Date.now() - startedAt;
    const logins = await checkLogins([...new Set([appUrl, systemUrl].filter((url) => url !== undefined))]);
    return [
      judgeRelease(state.version),
      state.encoding === 'UTF8'
        ? fine('encoding', state.encoding)
        : failed(
            'encoding',
            `${state.encoding} instead of UTF8`,
            'Restore a backup into a new UTF8 database.',
          ),
      judgeClock('postgresql', Math.sign(offset) * Math.max(0, Math.abs(offset) - elapsed)),
      fine('migrations', 'all are applied'),
      missing.length === 0
        ? fine('extensions', extensions.join(', '))
        : failed('extensions', `missing: ${missing.join(', ')}`, migrate),
      absent.length === 0
        ? fine('roles', 'all exist')
        : failed('roles', `missing: ${absent.join(', ')}`, migrate),
      problem === undefined
        ? fine('privileges', 'requests can be served')
        : failed('privileges', problem, migrate),
      ...(hasQueue && systemUrl !== undefined ? [await checkQueue(database)] : []),
      ...logins,
    ];
  } catch (error) {
    if (error instanceof UnsuitableDatabase)
      return [failed('postgresql', error.message, 'Correct the address, or the database.')];
    return [
      failed(
        'postgresql',
        `does not answer: ${messageOf(error)}`,
        'Start PostgreSQL, or correct DATABASE_URL.',
      ),
    ];
  } finally {
    await database.close();
  }
}
