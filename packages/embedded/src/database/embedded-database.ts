import { databaseRoles } from '@riskboard/db';
import { type Cluster, startCluster } from './cluster.ts';
import { checkDatabase, readDatabaseSettings, saveDatabaseSettings } from '../data/data-folder.ts';
import { type Owner, provision } from './provision.ts';
import type { DatabaseAddresses } from './migrate.ts';
import type { Secrets } from '../data/secrets.ts';

const database = 'riskboard';

export interface EmbeddedDatabase {
  addresses: DatabaseAddresses;
  /** Bypasses row-level security; for queries of the supervisor. */
  adminUrl: string;
  cluster: Cluster;
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
  const cluster = await startCluster({ home: folder, port, fixedPort: fixedPort !== undefined, password });
  const admin: Owner = { name: 'postgres', password };
  const owner: Owner = { name: 'riskboard', password: secrets.databasePassword };
  try {
    await saveDatabaseSettings(folder, { port: cluster.port });
    await provision(cluster.url(admin, 'postgres'), owner, {
      database,
      mustExist: settings.created === true,
    });
    await saveDatabaseSettings(folder, { created: true });
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  const addresses = {
    ownerUrl: cluster.url(owner, database),
    appUrl: cluster.url({ name: databaseRoles.app, password: secrets.appPassword }, database),
    systemUrl: cluster.url({ name: databaseRoles.system, password: secrets.systemPassword }, database),
  };
  return { addresses, adminUrl: cluster.url(admin, database), cluster };
}
