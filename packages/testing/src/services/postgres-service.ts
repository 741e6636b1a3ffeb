import { randomBytes } from 'node:crypto';
import { provision, startCluster } from '@riskboard/embedded';
import { migrateToLatest } from '@riskboard/db';
import { images } from './containers.ts';
import { type DatabaseService, type Missing, missing, type Machine } from './services.ts';
import { withClient } from '../with-client.ts';

interface Server {
  origin: string;
  adminUrl: string;
  stop(): Promise<void>;
}

/**
 * No durability: tests of a database crash start their own server. No autovacuum, whose snapshots keep a VACUUM of a test
 * from marking pages as visible to all, and whose statistics change plans at any time.
 */
const fast = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '300',
};

const urlVariable = 'TEST_DATABASE_URL';

async function startContainer(): Promise<Server> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const flags = Object.entries(fast).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const container = await new PostgreSqlContainer(images.postgres)
    .withCommand(['postgres', ...flags])
    .start();
  return {
    origin: `container ${images.postgres}`,
    adminUrl: container.getConnectionUri(),
    stop: async () => void (await container.stop()),
  };
}

async function startEmbedded(home: string): Promise<Server> {
  const password = randomBytes(24).toString('base64url');
  const cluster = await startCluster({ home, password, settings: fast });
  return {
    origin: 'embedded PostgreSQL',
    adminUrl: cluster.url({ name: 'postgres', password }, 'postgres'),
    stop: () => cluster.stop(),
  };
}

async function startServer({ engine, folder }: Machine): Promise<Server> {
  const address = process.env[urlVariable];
  if (address) return { origin: urlVariable, adminUrl: address, stop: async () => {} };
  if (!engine) return startEmbedded(folder);
  return startContainer().catch((error: unknown) => {
    process.stderr.write(`No PostgreSQL container (${String(error)}): using the embedded one.\n`);
    return startEmbedded(folder);
  });
}

export function urlOf(service: Pick<DatabaseService, 'adminUrl' | 'owner'>, database: string): string {
  const url = new URL(service.adminUrl);
  url.username = service.owner.name;
  url.password = service.owner.password;
  url.pathname = `/${database}`;
  return url.href;
}

/** Tests use a role that is not a superuser, as the product does, if the administrator may create one. */
async function makeTemplate(adminUrl: string): Promise<Omit<DatabaseService, 'kind' | 'origin'>> {
  const mark = randomBytes(4).toString('hex');
  const template = `riskboard_template_${mark}`;
  const superuser = await withClient(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ rolsuper: boolean }>(
      'select rolsuper from pg_roles where rolname = current_user',
    );
    return rows[0]?.rolsuper === true;
  });
  const address = new URL(adminUrl);
  const owner = superuser
    ? { name: `riskboard_test_${mark}`, password: randomBytes(24).toString('base64url') }
    : { name: decodeURIComponent(address.username), password: decodeURIComponent(address.password) };
  if (superuser) await provision(adminUrl, owner, { database: template });
  else await withClient(adminUrl, (admin) => admin.query(`create database ${template}`));
  await migrateToLatest(urlOf({ adminUrl, owner }, template));
  return { adminUrl, template, owner };
}

/** Removes the run's databases and role from a server that others use. */
async function removeTemplate(service: DatabaseService): Promise<void> {
  await withClient(service.adminUrl, async (admin) => {
    await admin.query(`drop database if exists ${admin.escapeIdentifier(service.template)} with (force)`);
    if (!service.owner.name.startsWith('riskboard_test_')) return;
    const role = admin.escapeIdentifier(service.owner.name);
    // The role may still own clones that a killed test left.
    const left = await admin.query<{ name: string }>(
      'select datname as name from pg_database where datdba = $1::regrole',
      [role],
    );
    for (const { name } of left.rows) {
      await admin.query(`drop database if exists ${admin.escapeIdentifier(name)} with (force)`);
    }
    await admin.query(`drop owned by ${role}`);
    await admin.query(`drop role ${role}`);
  });
}

/** Starts a server with a migrated template. When that fails, tests that need a database fail with the reason. */
export async function startPostgres(
  machine: Machine,
): Promise<{ service: DatabaseService | Missing; stop(): Promise<void> }> {
  let server: Server | undefined;
  try {
    const started = await startServer(machine);
    server = started;
    const template = await makeTemplate(started.adminUrl);
    const service: DatabaseService = { kind: 'database', origin: started.origin, ...template };
    return {
      service,
      async stop() {
        if (started.origin === urlVariable) await removeTemplate(service);
        await started.stop();
      },
    };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { service: missing(reason), stop: async () => server?.stop() };
  }
}
