import { join } from 'node:path';
import { databaseRoles } from '@riskboard/db/roles';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import { checkDatabase, readDatabaseSettings, saveDatabaseSettings } from '../data/data-folder.ts';
import { dropDatabase, type Owner, provision } from './provision.ts';
import type { DatabaseAddresses } from './addresses.ts';
import { refusedSecrets, type Secrets } from '../data/secrets.ts';
import { overSocket } from './socket.ts';
import { settingsFor } from './tuning.ts';

const database = 'riskboard';
const owner = 'riskboard';

export interface EmbeddedDatabase {
  addresses: DatabaseAddresses;
  /** Bypasses row-level security; for queries of the supervisor. */
  adminUrl: string;
  cluster: Cluster;
}

const adminOf = ({ superuserPassword }: Secrets): Owner => ({
  name: 'postgres',
  password: superuserPassword,
});
const dataOf = (folder: string): string => join(folder, 'postgres');

/** The addresses of the running server of a data folder, which listens on a port of 127.0.0.1. */
export function embeddedAddresses(
  folder: string,
  port: number,
  secrets: Secrets,
): Required<DatabaseAddresses> {
  const url = (name: string, password: string): string =>
    overSocket(
      `postgres://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
      dataOf(folder),
    );
  return {
    ownerUrl: url(owner, secrets.databasePassword),
    appUrl: url(databaseRoles.app, secrets.appPassword),
    systemUrl: url(databaseRoles.system, secrets.systemPassword),
  };
}

interface DatabaseOptions extends Pick<ClusterOptions, 'replaces' | 'signal'> {
  /** How many the server accepts, unless the operator has set it. */
  connections?: number;
}

/**
 * Starts the embedded PostgreSQL of a data folder on its previous port if that is free, or in place of the server whose
 * address running processes use. @throws StartError when its database is elsewhere or has been lost
 */
export async function startDatabase(
  folder: string,
  secrets: Secrets,
  { replaces, signal, connections }: DatabaseOptions = {},
): Promise<EmbeddedDatabase> {
  await checkDatabase(folder);
  const settings = await readDatabaseSettings(folder);
  const cluster = await startCluster({
    home: folder,
    port: settings.port,
    replaces,
    signal,
    password: secrets.superuserPassword,
    settings: await settingsFor(dataOf(folder), connections),
  });
  try {
    await saveDatabaseSettings(folder, { port: cluster.port });
    await provide(folder, secrets, cluster);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return {
    addresses: embeddedAddresses(folder, cluster.port, secrets),
    adminUrl: cluster.url(adminOf(secrets), database),
    cluster,
  };
}

/** SQLSTATE invalid_password */
const invalidPassword = '28P01';

/**
 * Creates what the cluster lacks: the role of the owner and, unless it has been created before, the database.
 * @throws StartError when the secrets are those of another data folder
 */
async function provide(folder: string, secrets: Secrets, cluster: Cluster): Promise<void> {
  const { created = false } = await readDatabaseSettings(folder);
  const role = { name: owner, password: secrets.databasePassword };
  const adminUrl = cluster.url(adminOf(secrets), 'postgres');
  await provision(adminUrl, role, { database, mustExist: created }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== invalidPassword) throw error;
    throw refusedSecrets(folder, 'has another superuserPassword than the database', error);
  });
  await saveDatabaseSettings(folder, { created: true });
}

/** Replaces the database of a running cluster with an empty one, which has to be prepared. */
export async function emptyDatabase(folder: string, secrets: Secrets, cluster: Cluster): Promise<void> {
  // First, so that a start after an interruption creates the database instead of missing it.
  await saveDatabaseSettings(folder, { created: undefined, prepared: undefined });
  await dropDatabase(cluster.url(adminOf(secrets), 'postgres'), database);
  await provide(folder, secrets, cluster);
}
