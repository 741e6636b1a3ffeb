import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { checkSession } from './check-session.ts';
import { createFairSlots, type FairSlots } from './fair-slots.ts';
import { databaseRoles } from './roles.ts';
import { limitOptions, type SessionLimits, sessionLimits } from './session-limits.ts';
import { endSilentSessions } from './silent-sessions.ts';
import { closeSilentConnections } from './silent-connections.ts';
import type { Schema } from '../tables.ts';

// numeric and int8 as numbers: every such column stays below 2^53 (sizes in bytes, scores).
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Calendar days as they are written: the driver's own parser makes them moments in the zone of the process.
pg.types.setTypeParser(pg.types.builtins.DATE, String);

export interface DatabaseOptions {
  url: string;
  /** Address for the system role, with a login of its own; absent: that of `url`, whose login needs both roles. */
  systemUrl?: string | undefined;
  /** Maximum connections of the app's pool; the pool of the system role has 4. */
  max?: number;
  /** Milliseconds after which a statement is cancelled; 0 for none (long jobs). */
  statementTimeoutMs?: number;
  /**
   * The same for the system role, whose statements are short. The check of a session is one of them, so an api sets it
   * below the limit within which a frozen database is reported.
   */
  systemTimeoutMs?: number;
  /** Default: those of the api. */
  limits?: SessionLimits;
  /**
   * For processes that serve requests: limits each organization to a quarter of the app's pool, and its requests that
   * change data to one connection less. Then no transaction may be opened within another one: it could wait for a slot
   * that the first one has.
   */
  shared?: boolean;
  /** Called when an idle connection is lost. */
  onError?: (error: Error) => void;
}

/** Transactions of one organization that wait in a process: more than the browsers of hundreds of people send at once. */
const mostWaiting = 1000;

/** One connection is left for queries without an organization, such as the check of readiness. */
const slotsOf = (max: number): FairSlots =>
  createFairSlots({
    total: Math.max(1, max - 1),
    perKey: Math.max(1, Math.floor(max / 4)),
    waiting: mostWaiting,
  });

/** `app` sees one organization at a time (withOrganization); `system` serves sign-in and the sweep. */
export interface Database {
  app: Kysely<Schema>;
  system: Kysely<Schema>;
  /** The app's pool, for COPY. */
  pool: pg.Pool;
  systemPool: pg.Pool;
  /** Shares the app's pool among organizations; absent: not limited. */
  slots?: FairSlots;
  close(): Promise<void>;
}

interface PoolSize {
  url: string;
  role: string;
  max: number;
  /** Milliseconds; 0 for none. */
  timeout: number;
}

/**
 * Milliseconds after which an idle connection is closed, except one of each pool: a connection holds 3 MB of the server. A
 * shorter time costs more than it saves: a new session fills its caches of tables and plans for some 100 ms of processor
 * time, and with 5 s four workers opened 30 sessions in the 25 s of a batch.
 */
const surplusMs = 30_000;
/**
 * Seconds after which a connection is replaced, when it is returned or idle: PostgreSQL cannot freeze the rows of temporary
 * tables, so a session that kept one for weeks would hold back the oldest transaction number of the database.
 */
const lifetimeSeconds = 3600;
const standardAnswerMs = 5000;
/** By how much the client waits longer for a statement than the server runs it, so that the error names the reason. */
const networkMs = 200;
const answerLimit = ({ limits = sessionLimits.api }: DatabaseOptions): number =>
  limits.answerMs ?? standardAnswerMs;

function openPool({ url, role, max, timeout }: PoolSize, options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: answerLimit(options),
    min: 1,
    idleTimeoutMillis: surplusMs,
    maxLifetimeSeconds: lifetimeSeconds,
    keepAlive: true,
    application_name: `riskboard ${role}`,
    options: `-c role=${role} -c timezone=UTC -c jit=off ${limitOptions(options.limits ?? sessionLimits.api)}`,
    // The pool waits for the promise, which pg's types do not allow.
    onConnect: (client): unknown => checkSession(client, { role, withinMs: answerLimit(options) }),
    ...(timeout > 0 ? { statement_timeout: timeout, query_timeout: timeout + networkMs } : {}),
  });
  const report = (error: Error) => options.onError?.(error);
  pool.on('error', report);
  // The pool listens only to idle connections; an error of one in use would end the process.
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}

/** Opens both pools. Nothing connects before the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const { max = 10, statementTimeoutMs: timeout = 0, systemTimeoutMs = timeout } = options;
  const pool = openPool({ url: options.url, role: databaseRoles.app, max, timeout }, options);
  const systemUrl = options.systemUrl ?? options.url;
  const systemPool = openPool(
    { url: systemUrl, role: databaseRoles.system, max: 4, timeout: systemTimeoutMs },
    options,
  );
  const silence = { answerMs: answerLimit(options), interrupts: options.limits?.interrupts ?? true };
  const stopChecks = [pool, systemPool].map((each) => endSilentSessions(each, { onError: options.onError }));
  const app = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: closeSilentConnections(pool, silence) }),
  });
  const system = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: closeSilentConnections(systemPool, silence) }),
  });
  return {
    app,
    system,
    pool,
    systemPool,
    ...(options.shared ? { slots: slotsOf(max) } : {}),
    async close() {
      for (const stop of stopChecks) stop();
      await Promise.all([app.destroy(), system.destroy()]);
      await Promise.all([pool.end(), systemPool.end()]);
    },
  };
}

/** Whether a connection of the app could take the system role. */
export async function canBecomeSystem({ app }: Database): Promise<boolean> {
  const { rows } = await sql<{ can: boolean }>`
    select pg_has_role(session_user, ${databaseRoles.system}, 'member') as can`.execute(app);
  return rows[0]?.can ?? false;
}

/** SQLSTATE invalid_parameter_value: the role of the connection does not exist before the first migration. */
const unknownRole = '22023';

/** Resolves once PostgreSQL has admitted both logins; the database may still lack its roles. @throws the refusal */
export async function answersLogin({ app, system }: Database): Promise<void> {
  for (const login of [app, system])
    await sql`select 1`.execute(login).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== unknownRole) throw error;
    });
}
