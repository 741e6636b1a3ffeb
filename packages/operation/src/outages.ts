/** The part of a pino logger that outages use. */
export interface OutageLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** A service that may be away. */
export interface Dependency {
  /** In log lines: 'PostgreSQL'. */
  name: string;
  /** Rejects, or never answers, while the service is away. */
  probe: () => Promise<unknown>;
}

export interface Outages {
  /**
   * Reports what failed. While a service is away this is only counted: one line says that the outage begins, and one that
   * it has ended, with its duration. Other failures are logged as they are.
   */
  report(error: unknown, what: string): void;
  close(): void;
}

/** SQLSTATE classes and socket errors of an unreachable or unresponsive service. */
const connectionCodes =
  /^(?:08|57P0[123]|53[023]|25P03|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)UNREACH)/u;
/**
 * A Redis whose password has changed (PostgreSQL's refusal of a login is of the start, until-reachable.ts), that stores
 * nothing, or that still loads its data. Redis before version 7 puts the reason of a failed script behind a text of its own.
 */
const refusedRedis = /^(?:ERR .*-)?(?:WRONGPASS|NOAUTH|READONLY|OOM|MISCONF|NOREPLICAS|LOADING|MASTERDOWN) /u;
/** While connecting: the UNIX socket of a server that does not run is missing, and that of a busy one refuses for a moment. */
const socketCodes = /^(?:ENOENT|EAGAIN)$/u;
const connectionMessages =
  /Connection (?:terminated|is closed)|timeout exceeded when trying to connect|Query read timeout|not queryable|Command timed out|isn't writeable|Socket timeout|no answer within|stopped responding|Closed/u;

/** Whether an error says that PostgreSQL or the queue is not reachable or does not respond. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (connectionCodes.test(code)) return true;
  if (connectionMessages.test(error.message) || refusedRedis.test(error.message)) return true;
  if (socketCodes.test(code) && 'syscall' in error && error.syscall === 'connect') return true;
  // Several addresses of one host were tried.
  return error instanceof AggregateError && error.errors.some(isConnectionError);
}

const probeMs = 2000;
const standardEveryMs = 1000;

/** Without a stack, because the cause is not in this program. */
const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? error.message || ('code' in error ? String(error.code) : error.name)
    : String(error);

/** Why a service does not answer; undefined when it does. */
async function whyUnanswered({ probe }: Dependency): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`no answer within ${probeMs / 1000} s`), probeMs);
  const answered = probe().then(() => undefined, reasonOf);
  return Promise.race([answered, promise]).finally(() => clearTimeout(timer));
}

interface Outage {
  /** When the service stopped answering, by performance.now(). */
  since: number;
  /** Number of failures reported before. */
  before: number;
}

/** Reports failures of a program and the outages of the services that it depends on. */
export function watchOutages(
  dependencies: readonly Dependency[],
  { log, everyMs = standardEveryMs }: { log: OutageLog; everyMs?: number },
): Outages {
  const outages = new Map<Dependency, Outage>();
  let failures = 0;
  let checking = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  /** @param next of an outage that this check finds */
  async function check(next: Outage): Promise<void> {
    const reasons = await Promise.all(dependencies.map(whyUnanswered));
    if (closed) return;
    for (const [index, dependency] of dependencies.entries()) {
      const { name } = dependency;
      const reason = reasons[index];
      const outage = outages.get(dependency);
      if (reason === undefined && outage !== undefined) {
        const seconds = Math.round((performance.now() - outage.since) / 100) / 10;
        outages.delete(dependency);
        log.info(
          { dependency: name, seconds, failures: failures - outage.before },
          `${name} answers again after ${seconds} s`,
        );
      }
      if (reason !== undefined && outage === undefined) {
        outages.set(dependency, next);
        log.warn({ dependency: name, reason }, `${name} does not answer; it is tried again until it does`);
      }
    }
    if (outages.size > 0) timer = setTimeout(checkAgain, everyMs).unref();
  }

  const checkAgain = (): void => void check({ since: performance.now(), before: failures });

  async function confirm(error: unknown, what: string): Promise<void> {
    const before = failures - 1;
    checking = true;
    await check({ since: performance.now(), before });
    checking = false;
    if (outages.size === 0 && !closed)
      log.warn(
        { reason: reasonOf(error), failures: failures - before },
        `${what}; PostgreSQL and the queue answer`,
      );
  }

  return {
    report(error, what) {
      if (closed) return;
      if (!isConnectionError(error)) return log.warn({ err: error }, what);
      failures += 1;
      if (!checking && outages.size === 0) void confirm(error, what);
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
