import { createPostgresBackend, createPostgresRelayBackend, DEFAULT_SCHEMA } from 'bullmq';
import { escapeIdentifier, escapeLiteral, Pool, type ClientBase, type QueryResult } from 'pg';
import type { OnError } from '../config.ts';
import { settles } from './deadline.ts';
import { checkListeners } from './check-listeners.ts';
import {
  silenceSeconds,
  type BackendConnection,
  type ConnectionOptions,
  type ConnectionTarget,
} from './connection.ts';

/** One for LISTEN, the others for BullMQ's queries, which are short. */
const connections = 4;
/** After this time without use, all connections but one are closed: each holds 3 MB of the server. */
const surplusMs = 5000;

/**
 * Settings of every session of the queue:
 * - its tables are in their own schema;
 * - commits are asynchronous: the sweep enqueues a message again that a power failure lost, and the job row, the
 *   source of truth, is committed over other connections;
 * - no statement waits for a lock, and no transaction stays idle, without end;
 * - the server drops the session of a machine that vanished after 5 + 2 × 5 s instead of two hours.
 */
const sessionSettings = `
  set search_path to ${DEFAULT_SCHEMA};
  set synchronous_commit to off;
  set lock_timeout to '5s';
  set idle_in_transaction_session_timeout to '60s';
  set tcp_keepalives_idle to 5;
  set tcp_keepalives_interval to 5;
  set tcp_keepalives_count to 2`;

/**
 * Consumers that are alive. The server shows the times of a session to its login, not to the role that the login has taken,
 * so the role is left for the transaction of these two statements.
 */
const liveConsumers = (consumer: string): string => `
  set local role none;
  select count(distinct application_name)::int as consumers
  from pg_stat_activity
  where datname = current_database()
    and starts_with(application_name, ${escapeLiteral(consumer)})
    and state_change > clock_timestamp() - make_interval(secs => ${silenceSeconds})`;

/**
 * Limits times that only a worker with a wrong clock writes, by the clock of the server: no worker checks for stalled
 * messages before the time of the last check, and no worker takes over a message before its lock ends. The notification
 * wakes workers that missed one while they had no LISTEN session, as after a restart of the server.
 */
const recovery = `
  with clock as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now),
  checked as (
    update meta set value = clock.now::text from clock
    where queue = $1 and field = 'stalled-check' and value::bigint > clock.now + 2 * $3::bigint),
  locked as (
    update job set locked_until_ms = clock.now + $2::bigint from clock
    where queue = $1 and state = 'active' and locked_until_ms > clock.now + 2 * $2::bigint),
  delayed as (
    update job set process_at_ms = case when process_at_ms > clock.now then clock.now + delay_ms else 0 end from clock
    where queue = $1 and state = 'delayed'
      and (process_at_ms > clock.now + delay_ms + 60000 or process_at_ms between 1 and clock.now))
  select pg_notify('bullmq_jobs', $1)`;

/** BullMQ and its relay on PostgreSQL 15 or newer; `prepareQueue` has created the tables. */
export function connectPostgres(
  { url, names, role }: ConnectionTarget,
  options: ConnectionOptions,
): BackendConnection {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: options.consumerName,
    connectionTimeoutMillis: options.answerMs,
    query_timeout: options.answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    min: 1,
    idleTimeoutMillis: surplusMs,
    onConnect: openSession(role, options.onError),
  });
  pool.on('error', options.onError);
  const stopChecks = checkListeners(pool, options.answerMs);
  return {
    queueBackend: (name, opts, extra) => createPostgresBackend(name, { ...opts, connection: pool }, extra),
    relayBackend: (opts) => createPostgresRelayBackend({ ...opts, connection: pool }),
    async ping() {
      await pool.query('select 1');
    },
    async liveConsumers() {
      const results: unknown = await pool.query(liveConsumers(names.consumer));
      const [, counted] = results as [QueryResult, QueryResult<{ consumers: number }>];
      return counted.rows[0]?.consumers ?? 0;
    },
    async now() {
      const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
      return Number(rows[0]?.now);
    },
    async recover({ lockMs, stallMs }) {
      await pool.query(recovery, [names.queue, lockMs, stallMs]);
    },
    async end() {
      stopChecks();
      await settles(1000, pool.end());
    },
  };
}

/** The pool awaits the promise before it hands out the session; its types do not declare that. */
function openSession(role: string | undefined, onError: OnError): (client: ClientBase) => unknown {
  const settings =
    role === undefined ? sessionSettings : `set role ${escapeIdentifier(role)}; ${sessionSettings}`;
  return async (client) => {
    // The pool handles errors of idle sessions only; an error of a session in use must not end the process.
    client.on('error', onError);
    await client.query(settings);
  };
}
