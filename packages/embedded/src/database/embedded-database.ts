import { databaseRoles } from '@riskboard/db';
import { type Cluster, startCluster } from './cluster.ts';
import { findDatabaseHome, readDatabaseSettings, saveDatabaseSettings } from '../data/data-folder.ts';
import { type Owner, provision } from './provision.ts';
import type { DatabaseAddresses } from './migrate.ts';
import type { Secrets } from '../data/secrets.ts';

const database = 'riskboard';

export interface EmbeddedDatabase {
  /** Where its files are. */
  home: string;
  addresses: DatabaseAddresses;
  /** Bypasses row-level security; for queries of the supervisor. */
  adminUrl: string;
  cluster: Cluster;
}

/**
 * Starts the embedded PostgreSQL of a data folder: on `fixedPort` when running processes already use that address, else
 * on its previous port if that is free.
 */
export async function startDatabase(
  folder: string,
  secrets: Secrets,
  fixedPort?: number,
): Promise<EmbeddedDatabase> {
  const home = await findDatabaseHome(folder);
  const port = fixedPort ?? (await readDatabaseSettings(folder)).port;
  const password = secrets.superuserPassword;
  const cluster = await startCluster({ home, port, fixedPort: fixedPort !== undefined, password });
  const admin: Owner = { name: 'postgres', password };
  const owner: Owner = { name: 'riskboard', password: secrets.databasePassword };
  try {
    await saveDatabaseSettings(folder, { port: cluster.port });
    await provision(cluster.url(admin, 'postgres'), owner, database);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  const addresses = {
    ownerUrl: cluster.url(owner, database),
    appUrl: cluster.url({ name: databaseRoles.app, password: secrets.appPassword }, database),
    systemUrl: cluster.url({ name: databaseRoles.system, password: secrets.systemPassword }, database),
  };
  return { home, addresses, adminUrl: cluster.url(admin, database), cluster };
}
