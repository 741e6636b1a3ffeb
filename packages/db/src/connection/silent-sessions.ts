import pg from 'pg';
import { isPooled } from './check-session.ts';
import { onLoginConnection } from './login-connection.ts';

/** Missing in pg's types: the process of the server that serves the connection. */
type Connection = pg.PoolClient & { processID: number };

interface Session {
  /** Number of the last statement; 0 while none is in flight. */
  statement: number;
  /** What the check before this one found. */
  checked: { statement: number; rounds: number };
}

/** A session that a client has left without the end of its statement. */
interface Left {
  rounds: number;
}

export interface SilentSessionOptions {
  /** Milliseconds between two checks. Default: 3,000. */
  everyMs?: number;
  /** Receives errors of the checks themselves. */
  onError?(error: Error): void;
}

/** A session is ended when this many checks in a row find that it waits for its client, who waits for it. */
const patience = 3;

/**
 * The sessions of these processes that wait for their client, or have ended. A session that waits within COPY is active,
 * any other is idle; both show this event. The server shows a login this column of its own sessions only.
 */
const waiting = `
  select pid, backend_start is not null as exists
  from unnest($1::int[]) as asked (pid) left join pg_stat_activity using (pid)
  where backend_start is null or (wait_event_type = 'Client' and wait_event = 'ClientRead')`;
const terminate = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1::int[]) and usename = current_user and wait_event_type = 'Client' and wait_event = 'ClientRead'`;

/**
 * Ends what a network that drops packets without notice leaves (a firewall or NAT that forgets a connection): a statement
 * for whose answer this process waits while the server waits for the next one. Without it the process would wait for its
 * operating system to give up, which takes minutes to hours, and the session would keep its locks until
 * `idle_in_transaction_session_timeout`. The statement fails as it does when the connection ends; the server's session is
 * ended too. A server that does not answer the check is frozen or away: nothing is ended. @returns a function that stops the checks
 */
export function endSilentSessions(
  pool: pg.Pool,
  { everyMs = 3000, onError }: SilentSessionOptions = {},
): () => void {
  const sessions = new Map<Connection, Session>();
  const left = new Map<number, Left>();
  let statements = 0;

  pool.on('connect', (opened) => {
    // The server does not know the process ids of a pooler.
    if (isPooled(opened)) return;
    const client = opened as Connection;
    const session: Session = { statement: 0, checked: { statement: 0, rounds: 0 } };
    sessions.set(client, session);
    client.query = function counted(...given: unknown[]) {
      session.statement = statements += 1;
      return Reflect.apply(pg.Client.prototype.query, client, given) as unknown;
    } as typeof client.query;
    client.on('drain', () => void (session.statement = 0));
  });
  pool.on('remove', (removed) => {
    const client = removed as Connection;
    if (sessions.get(client)?.statement) left.set(client.processID, { rounds: 0 });
    sessions.delete(client);
  });

  async function check(): Promise<void> {
    const suspects: [Connection, Session][] = [];
    for (const [client, session] of sessions) {
      const { statement, checked } = session;
      if (statement !== 0 && statement === checked.statement) suspects.push([client, session]);
      else session.checked = { statement, rounds: 0 };
    }
    const pids = [...suspects.map(([{ processID }]) => processID), ...left.keys()];
    if (pids.length === 0) return;
    // Those of the pool may all be silent.
    await onLoginConnection(pool.options, everyMs, async (own) => {
      const { rows } = await own.query<{ pid: number; exists: boolean }>(waiting, [pids]);
      const found = new Map(rows.map(({ pid, exists }) => [pid, exists]));
      const silent: number[] = [];
      for (const [client, { statement, checked }] of suspects) {
        checked.rounds = found.has(client.processID) ? checked.rounds + 1 : 0;
        // The answer may have arrived during the check.
        if (checked.rounds < patience || sessions.get(client)?.statement !== statement) continue;
        silent.push(client.processID);
        void client.end().catch(() => undefined);
      }
      for (const [pid, one] of left) {
        one.rounds = found.get(pid) ? one.rounds + 1 : 0;
        if (found.get(pid) === false) left.delete(pid);
        if (one.rounds < patience) continue;
        silent.push(pid);
        left.delete(pid);
      }
      if (silent.length > 0) await own.query(terminate, [silent]);
    });
  }

  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    check()
      .catch((error: unknown) => onError?.(error as Error))
      .finally(() => (running = false));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
