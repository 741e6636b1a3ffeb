import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { impatientPool } from './silent-connections.ts';
import type { Schema } from '../schema.ts';

// numeric and int8 as numbers: every such column of ours stays below 2^53 (sizes in bytes, scores).
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * The roles that the product works under; none owns a table or bypasses row-level security. Nobody works as `search`:
 * the functions that look for words do (migration 0007).
 */
export const databaseRoles = {
  app: 'riskboard_app',
  system: 'riskboard_system',
  search: 'riskboard_search',
} as const;

export interface DatabaseOptions {
  url: string;
  /** Most connections of the app's pool; sign-in and sweeping have a small one beside it. */
  max?: number;
  /** Milliseconds after which a statement is given up; 0 for none (long jobs). */
  statementTimeoutMs?: number;
  /** The same for the small pool, whose statements are short: what every request asks first fails first. */
  systemTimeoutMs?: number;
  /** Told of idle connections that die. Without a listener the process would end. */
  onError?: (error: Error) => void;
}

/** `app` sees one organisation at a time (withOrganization); `system` serves sign-in and the sweeper. */
export interface Database {
  app: Kysely<Schema>;
  system: Kysely<Schema>;
  /** The app's pool, for COPY. */
  pool: pg.Pool;
  close(): Promise<void>;
}

interface PoolSize {
  role: string;
  max: number;
  /** Milliseconds; 0 for none. */
  timeout: number;
}

function openPool({ role, max, timeout }: PoolSize, options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: `riskboard ${role}`,
    options: `-c role=${role} -c timezone=UTC`,
    ...(timeout > 0 ? { statement_timeout: timeout, query_timeout: timeout + 1000 } : {}),
  });
  const report = (error: Error) => options.onError?.(error);
  pool.on('error', report);
  // The pool listens to idle connections only; one that dies between two statements would end the process.
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}

/** Opens both pools. Nothing connects before the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const { max = 10, statementTimeoutMs: timeout = 0, systemTimeoutMs = timeout } = options;
  const pool = openPool({ role: databaseRoles.app, max, timeout }, options);
  const systemPool = openPool({ role: databaseRoles.system, max: 4, timeout: systemTimeoutMs }, options);
  const app = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: impatientPool(pool) }) });
  const system = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: impatientPool(systemPool) }) });
  return {
    app,
    system,
    pool,
    async close() {
      await Promise.all([app.destroy(), system.destroy()]);
      await Promise.all([pool.end(), systemPool.end()]);
    },
  };
}
