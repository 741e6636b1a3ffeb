import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { urlOf, withAdmin } from './services/postgres-service.ts';
import type { DatabaseService } from './services/services.ts';

export interface TestDatabase {
  /** For a role that owns the database and is not a superuser, as in the product. */
  url: string;
  /** For statements that require an administrator, and for bypassing row-level security. */
  adminUrl: string;
  /** @throws when a connection is still open, because a test or the product did not close its pool */
  drop(): Promise<void>;
}

/** How long closing connections may remain visible, in milliseconds. */
const closingMs = 3000;

function service(): DatabaseService {
  const { database } = inject('services');
  if (database.kind === 'missing') throw new Error(`No test database: ${database.reason}`);
  return database;
}

/** Creates a migrated database by cloning the run's template, in about 30 ms. For a test file's `beforeAll`. */
export const createTestDatabase = (): Promise<TestDatabase> => create(service().template);

/** Creates a database without tables. @param options of CREATE DATABASE, as SQL */
export const createEmptyDatabase = (options = ''): Promise<TestDatabase> => create(`template0 ${options}`);

async function create(template: string): Promise<TestDatabase> {
  const server = service();
  const name = `riskboard_test_${randomBytes(8).toString('hex')}`;
  await withAdmin(server.adminUrl, (admin) =>
    admin.query(
      `create database ${name} template ${template} owner ${admin.escapeIdentifier(server.owner.name)}`,
    ),
  );
  const admin = new URL(server.adminUrl);
  admin.pathname = `/${name}`;
  return { url: urlOf(server, name), adminUrl: admin.href, drop: () => drop(server, name) };
}

async function drop(server: DatabaseService, name: string): Promise<void> {
  const open = await waitForClosing(server, name);
  await withAdmin(server.adminUrl, (admin) => admin.query(`drop database if exists ${name} with (force)`));
  if (open.length === 0) return;
  throw new Error(`${open.length} connections were left open (close every pool):\n  ${open.join('\n  ')}`);
}

function waitForClosing(server: DatabaseService, name: string): Promise<string[]> {
  return withAdmin(server.adminUrl, async (admin) => {
    const until = Date.now() + closingMs;
    for (;;) {
      const { rows } = await admin.query<{ line: string }>(
        `select concat_ws(': ', nullif(application_name, ''), state, left(query, 120)) as line
           from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
        [name],
      );
      if (rows.length === 0 || Date.now() > until) return rows.map((row) => row.line);
      await sleep(50);
    }
  });
}
