import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeIdentifier, Pool } from 'pg';
import { inject } from 'vitest';
import { urlOf } from './services/postgres-service.ts';
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

let opened: Pool | undefined;

/** The administrator's connection of this process, which stays open: a new one takes 20 ms of CPU time. */
function administrator(): Pool {
  if (opened === undefined) {
    opened = new Pool({
      connectionString: service().adminUrl,
      max: 1,
      idleTimeoutMillis: 0,
      allowExitOnIdle: true,
    });
    opened.on('error', () => undefined);
  }
  return opened;
}

/** Creates a migrated database by cloning the run's template, in about 30 ms. For a test file's `beforeAll`. */
export const createTestDatabase = (): Promise<TestDatabase> => create(service().template);

/** Creates a database without tables. @param options of CREATE DATABASE, as SQL */
export const createEmptyDatabase = (options = ''): Promise<TestDatabase> => create(`template0 ${options}`);

/** Creates a copy of a database that nothing is connected to. */
export const copyDatabase = (source: TestDatabase): Promise<TestDatabase> =>
  create(new URL(source.url).pathname.slice(1));

async function create(template: string): Promise<TestDatabase> {
  const server = service();
  const name = `riskboard_test_${randomBytes(8).toString('hex')}`;
  // Copied files take a third of the CPU time of the default, which writes each page to the write-ahead log.
  await administrator().query(
    `create database ${name} owner ${escapeIdentifier(server.owner.name)} strategy file_copy template ${template}`,
  );
  const url = new URL(server.adminUrl);
  url.pathname = `/${name}`;
  return { url: urlOf(server, name), adminUrl: url.href, drop: () => dropDatabase(name) };
}

/**
 * Drops a database once its connections have closed: a pool has ended before they have, and no longer handles their errors.
 * @throws when a connection is still open, because a test or the product did not close its pool
 */
export async function dropDatabase(name: string): Promise<void> {
  const open = await waitForClosing(name);
  await administrator().query(`drop database if exists ${name} with (force)`);
  if (open.length === 0) return;
  throw new Error(`${open.length} connections were left open (close every pool):\n  ${open.join('\n  ')}`);
}

async function waitForClosing(name: string): Promise<string[]> {
  const until = Date.now() + closingMs;
  for (;;) {
    const { rows } = await administrator().query<{ line: string }>(
      `select concat_ws(': ', nullif(application_name, ''), state, left(query, 120)) as line
         from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [name],
    );
    if (rows.length === 0 || Date.now() > until) return rows.map((row) => row.line);
    await sleep(50);
  }
}
