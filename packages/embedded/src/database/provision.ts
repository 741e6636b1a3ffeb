import { badConfigurationExit } from '@riskboard/contract/environment';
import { Client } from 'pg';
import { StartError } from '../startup/start-error.ts';

export interface Owner {
  name: string;
  password: string;
}

/**
 * Creates the role that owns the product's database, and the database, if missing, and sets the role's password. The
 * role may create roles (the migrations create those of the product) but is not a superuser.
 * @param of `mustExist`: the database has been created before
 * @throws StartError when a database that must exist is missing
 */
export async function provision(
  adminUrl: string,
  owner: Owner,
  { database, mustExist = false }: { database: string; mustExist?: boolean },
): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const role = admin.escapeIdentifier(owner.name);
    const rights = `login nosuperuser createrole password ${admin.escapeLiteral(owner.password)}`;
    const roles = await admin.query('select from pg_roles where rolname = $1', [owner.name]);
    await admin.query(`${roles.rowCount === 0 ? 'create' : 'alter'} role ${role} ${rights}`);
    const databases = await admin.query('select from pg_database where datname = $1', [database]);
    if (databases.rowCount === 0 && mustExist)
      throw new StartError(
        `The database "${database}" is missing from this PostgreSQL: restore the data folder from a backup, or set DATA_DIR to a new folder to start empty.`,
        { exitCode: badConfigurationExit },
      );
    if (databases.rowCount === 0) {
      await admin.query(`create database ${admin.escapeIdentifier(database)} owner ${role}`);
    }
  } finally {
    await admin.end();
  }
}

/** Drops a database, if it exists, with its connections. */
export async function dropDatabase(adminUrl: string, database: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`drop database if exists ${admin.escapeIdentifier(database)} with (force)`);
  } finally {
    await admin.end();
  }
}
