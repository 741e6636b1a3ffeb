import { setTimeout as sleep } from 'node:timers/promises';
import { badConfigurationExit } from '@riskboard/contract/environment';
import { UnsuitableDatabase } from '@riskboard/db/unsuitable-database';
import { logDestination } from './log/log-destination.ts';
import { terminalText } from './log/terminal-text.ts';
import { isConnectionError, type OutageLog } from './outages.ts';

interface Waiting {
  /** In log lines: 'PostgreSQL'. */
  name: string;
  log: OutageLog;
  everyMs?: number;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats work of the start of a program until its service answers, for as long as that takes, with one line when the wait
 * begins and one when it ends.
 * @throws every error that is not about the connection, and the reason of the signal
 */
export async function untilReachable<T>(
  work: () => Promise<T>,
  { name, log, everyMs = 1000, signal }: Waiting,
): Promise<T> {
  let since: number | undefined;
  for (;;) {
    try {
      const result = await work();
      if (since !== undefined) {
        const seconds = Math.round((performance.now() - since) / 100) / 10;
        log.info({ dependency: name, seconds }, `${name} answers after ${seconds} s; the start continues`);
      }
      return result;
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      if (since === undefined) {
        const reason = (error as Error).message || String((error as { code?: unknown }).code);
        log.warn({ dependency: name, reason }, `${name} does not answer; the start waits until it does`);
      }
      since ??= performance.now();
    }
    await sleep(everyMs, undefined, signal ? { signal } : {});
  }
}

/** SQLSTATE: wrong user or password, unknown database. Waiting does not help. */
const refusedLogin = /^(?:28|3D000)/u;

/** What an operator must change before this program can use PostgreSQL; undefined when something else is wrong. */
export function loginProblem(
  error: unknown,
  variables = 'DATABASE_URL or DATABASE_SYSTEM_URL',
): string | undefined {
  if (error instanceof UnsuitableDatabase) return error.message;
  if (!(error instanceof Error) || !('code' in error) || !refusedLogin.test(String(error.code)))
    return undefined;
  return `Configuration: PostgreSQL refuses the login of ${variables}: ${error.message}`;
}

/**
 * The first contact of a program with PostgreSQL: waits for it, and ends the program with one line when it refuses the
 * login or the database is unsuitable (78), or when it refuses the work (1).
 */
export async function reachDatabase(program: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await untilReachable(work, { name: 'PostgreSQL', log: startLog(program) });
  } catch (error) {
    const problem = loginProblem(error);
    const failure = `The database could not be used: ${error instanceof Error ? error.message : String(error)}`;
    process.stderr.write(`${terminalText(problem ?? failure)}\n`);
    process.exit(problem === undefined ? 1 : badConfigurationExit);
  }
}

/** Lines of a program that has no logger yet, as pino writes them. */
export function startLog(name: string): OutageLog {
  const destination = logDestination(name);
  const write = (level: number) => (fields: object, msg: string) =>
    destination.write(JSON.stringify({ level, time: Date.now(), name, ...fields, msg }));
  return { info: write(30), warn: write(40) };
}
