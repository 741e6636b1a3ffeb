import { join } from 'node:path';
import { databaseRoles } from '@riskboard/db/roles';
import { type Cluster, startCluster } from './cluster.ts';
import { checkDatabase, readDatabaseSettings, saveDatabaseSettings } from '../data/data-folder.ts';
import { type Owner, provision } from './provision.ts';
import type { DatabaseAddresses } from './addresses.ts';
import type { Secrets } from '../data/secrets.ts';
import { settingsFor } from './tuning.ts';

const database = 'riskboard';
const owner = 'riskboard';

export interface EmbeddedDatabase {
  addresses: DatabaseAddresses;
  /** Bypasses row-level security; for queries of the supervisor. */
  adminUrl: string;
  cluster: Cluster;
}

/** The addresses of a server that listens on 127.0.0.1. */
export function embeddedAddresses(port: number, secrets: Secrets): Required<DatabaseAddresses> {
  const url = (name: string, password: string): string =>
    `postgres://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  return {
    ownerUrl: url(owner, secrets.databasePassword),
    appUrl: url(databaseRoles.app, secrets.appPassword),
    systemUrl: url(databaseRoles.system, secrets.systemPassword),
  };
}

/**
 * Starts the embedded PostgreSQL of a data folder: on `fixedPort` when running processes already use that address, else
 * on its previous port if that is free. @throws StartError when its database is elsewhere or has been lost
 */
export async function startDatabase(
  folder: string,
  secrets: Secrets,
  fixedPort?: number,
): Promise<EmbeddedDatabase> {
  await checkDatabase(folder);
  const settings = await readDatabaseSettings(folder);
  const port = fixedPort ?? settings.port;
  const password = secrets.superuserPassword;
  const cluster = await startCluster({
    home: folder,
    port,
    fixedPort: fixedPort !== undefined,
    password,
    settings: await settingsFor(join(folder, 'postgres')),
  });
  const admin: Owner = { name: 'postgres', password };
  try {
    await saveDatabaseSettings(folder, { port: cluster.port });
    const role = { name: owner, password: secrets.databasePassword };
    await provision(cluster.url(admin, 'postgres'), role, {
      database,
      mustExist: settings.created === true,
    });
    await saveDatabaseSettings(folder, { created: true });
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return {
    addresses: embeddedAddresses(cluster.port, secrets),
    adminUrl: cluster.url(admin, database),
    cluster,
  };
}
