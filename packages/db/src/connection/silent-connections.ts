import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { serverCheck } from './server-check.ts';

/** The message of pg's error when `query_timeout` is over. */
const timeoutMessage = 'Query read timeout';
/** Whether a statement failed because it had no answer. */
export const isSilence = (error: unknown): error is Error =>
  error instanceof Error && error.message === timeoutMessage;
/** What opens a transaction, or is one by itself, is short and waits for no lock: a server that does not answer is unreachable. */
const begin = /^(?:begin|start transaction)|\bfrom start_job\(/u;

export interface Silence {
  answerMs: number;
  /** Whether a statement fails when the server freezes, or waits until it answers again (jobs). */
  interrupts?: boolean;
}

/**
 * A pool that gives a connection and the answer to its BEGIN within `answerMs` together, or an error. Later statements may
 * be slow: one fails within `answerMs` only if the server does not answer a new connection either, so that a server that
 * freezes during a transaction is noticed. It closes a connection after a query without an answer, and every idle
 * connection that has not answered since: when a firewall drops one, it has dropped all. pg alone would lend them again,
 * and each borrower would wait for the timeout.
 */
export function closeSilentConnections(
  pool: pg.Pool,
  { answerMs, interrupts = true }: Silence,
): PostgresPool {
  /** When a statement without an answer is first doubted; the check has the longer part, because a busy server forks slowly. */
  const doubtMs = answerMs / 4;
  const answers = serverCheck(pool.options, answerMs - doubtMs);
  /** When each connection last answered, by performance.now(). */
  const answeredAt = new WeakMap<pg.PoolClient, number>();
  let suspectBefore = 0;

  /** pg-pool limits the wait for a free connection and the opening of a new one separately, not their sum. */
  async function borrow(until: number): Promise<pg.PoolClient> {
    for (;;) {
      const connecting = pool.connect();
      const client = await settledBefore(until, connecting);
      if (client === undefined) {
        connecting.then(
          (late) => late.release(),
          () => undefined,
        );
        throw new Error('timeout exceeded when trying to connect');
      }
      if ((answeredAt.get(client) ?? Infinity) >= suspectBefore) return client;
      client.release(true);
    }
  }

  function lend(client: pg.PoolClient, until: number): PostgresPoolClient {
    let silent: Error | undefined;
    async function query(text: string, values: unknown[]): Promise<unknown> {
      if (silent) throw silent;
      const sentAt = performance.now();
      try {
        const statement = client.query({ text, values });
        const answer = await (begin.test(text)
          ? answeredBefore(until, statement)
          : whileServerAnswers(statement));
        answeredAt.set(client, performance.now());
        return answer;
      } catch (error) {
        if (isSilence(error)) {
          silent = error;
          suspectBefore = Math.max(suspectBefore, sentAt);
        }
        throw error;
      }
    }
    return { query: query as PostgresPoolClient['query'], release: () => client.release(silent) };
  }

  /** @throws the error of pg's own timeout when there is no answer at `until`, by performance.now() */
  async function answeredBefore<T>(until: number, statement: Promise<T>): Promise<T> {
    const settled = await settledBefore(
      until,
      statement.then((value) => ({ value })),
    );
    if (settled) return settled.value;
    throw new Error(timeoutMessage);
  }

  /** @throws the error of pg's own timeout when neither the statement nor the server has an answer */
  async function whileServerAnswers<T>(statement: Promise<T>): Promise<T> {
    if (!interrupts) return statement;
    const answer = statement.then((value) => ({ value }));
    for (;;) {
      const settled = await settledBefore(performance.now() + doubtMs, answer);
      if (settled) return settled.value;
      if (await Promise.race([answers(), answer.then(() => true)])) continue;
      answer.catch(() => undefined);
      throw new Error(timeoutMessage);
    }
  }

  // The opener of the pool ends it: Kysely would end only a pool that it has used.
  return { options: pool.options, connect, end: async () => undefined };

  async function connect(): Promise<PostgresPoolClient> {
    const until = performance.now() + answerMs;
    return lend(await borrow(until), until);
  }
}

/** @returns undefined when `work` has not settled at `until`, by performance.now() */
async function settledBefore<T>(until: number, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  // In a busy process the answer can have arrived when the timer is due: it is read before `setImmediate`.
  const timer = setTimeout(
    () => setImmediate(() => resolve(undefined)),
    Math.max(0, until - performance.now()),
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
