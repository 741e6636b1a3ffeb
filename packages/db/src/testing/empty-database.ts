import { randomBytes } from 'node:crypto';
import { migrations } from '@riskboard/migrations';
import { createTestDatabase, dropDatabase } from '@riskboard/testing';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { ensureRoles } from '../migrate/roles.ts';

/** Runs with one connection; the role is the one in the URL. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export interface EmptyDatabase {
  /** For its owner, who is not a superuser. */
  url: string;
  adminUrl: string;
  /** A migrated database of the same owner. */
  cloneUrl: string;
  drop(): Promise<void>;
}

/** A database without tables, for migrations. */
export async function makeEmptyDatabase(): Promise<EmptyDatabase> {
  const clone = await createTestDatabase();
  const name = `riskboard_empty_${randomBytes(6).toString('hex')}`;
  const owner = new URL(clone.url).username;
  await withClient(clone.adminUrl, (admin) =>
    admin.query(`create database ${name} template template0 owner ${admin.escapeIdentifier(owner)}`),
  );
  const named = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  return {
    url: named(clone.url),
    adminUrl: named(clone.adminUrl),
    cloneUrl: clone.url,
    async drop() {
      await dropDatabase(name);
      await clone.drop();
    },
  };
}

/** Migrates up to and including one migration. */
export async function migrateTo(url: string, migration: string): Promise<void> {
  await withClient(url, ensureRoles);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { error } = await new Migrator({ db, provider: migrations }).migrateTo(migration);
    if (error) throw error;
  } finally {
    await db.destroy();
  }
}
