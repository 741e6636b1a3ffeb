import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import {
  addresses,
  host,
  oneOf,
  optionalPort,
  optionalText,
  origin,
  postgresAddress,
  redisAddress,
  secret,
  text,
  url,
  whole,
} from './schemas.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host === 'localhost';
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

const variables = z.object({
  HOST: host('127.0.0.1'),
  PORT: whole(1, 65_535, 3000),
  DATA_DIR: text('./.data'),
  DATABASE_URL: postgresAddress(),
  DATABASE_SYSTEM_URL: postgresAddress(),
  DATABASE_OWNER_URL: postgresAddress(),
  REDIS_URL: redisAddress(),
  REDIS_PREFIX: text('riskboard').refine(
    (value) => /^[A-Za-z0-9_-]{1,40}$/u.test(value),
    'must be 1 to 40 letters, digits, - and _',
  ),
  WORKERS: whole(0, 64, 1),
  WORKER_CONCURRENCY: whole(1, 64, 2),
  WORKER_LOCK_MS: whole(1000, 600_000, 10_000),
  WORKER_STALL_MS: whole(500, 600_000, 5000),
  WORKER_HEARTBEAT_FILE: optionalText(),
  DEMO: oneOf(['1', '0'], '1'),
  APP_ORIGIN: origin(),
  SESSION_SECRET: secret(),
  // Only its length: a weak secret is left by making it the previous one.
  SESSION_SECRET_PREVIOUS: z
    .string()
    .optional()
    .transform((value) => (value === '' ? undefined : value))
    .refine((value) => value === undefined || value.length >= 32, 'must have at least 32 characters'),
  TRUSTED_PROXIES: addresses(),
  MAIL_FROM: text('Riskboard <riskboard@localhost>').refine(
    (value) => /^([^<>\p{Cc}]*<[^\s<>,;@]+@[^\s<>,;@]+>|[^\s<>,;@]+@[^\s<>,;@]+)$/u.test(value),
    'must be one address such as Riskboard <riskboard@example.org>',
  ),
  SIGNUP: oneOf(['open', 'invite'], 'open'),
  SMTP_URL: url(['smtp:', 'smtps:'], 'an SMTP address such as smtps://user:password@host:465'),
  CWE_API_URL: z
    .string()
    .optional()
    .transform((value) => value?.trim() ?? 'https://cwe-api.mitre.org/api/v1')
    .refine(
      (value) => value === '' || (URL.canParse(value) && /^https?:$/u.test(new URL(value).protocol)),
      'must be a web address, or empty to turn it off',
    ),
  WEBHOOK_KEY: secret(),
  WEBHOOK_ALLOW_PRIVATE: oneOf(['1', '0'], '0'),
  METRICS_TOKEN: z
    .string()
    .optional()
    .transform((value) => (value === '' ? undefined : value))
    .refine(
      (value) => value === undefined || /^[!-~]{32,}$/u.test(value),
      'must have at least 32 characters, without spaces',
    ),
  WORKER_METRICS_PORT: optionalPort(),
  BATCH_RETENTION_DAYS: whole(1, 3650, 90),
  UPLOAD_MAX_BYTES: whole(1024, 4 * 1024 ** 3, 256 * 1024 ** 2),
  BACKUP_DIR: optionalText(),
  BACKUP_AT: text('02:30').refine(
    (value) => /^(?:[01]\d|2[0-3]):[0-5]\d$/u.test(value),
    'must be a time of day in UTC such as 02:30',
  ),
  BACKUP_KEEP: whole(1, 3650, 7),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
});

interface MetricsVariables {
  METRICS_TOKEN?: string | undefined;
  WORKER_METRICS_PORT?: number | undefined;
}
const guardsMetrics = (env: MetricsVariables): boolean =>
  env.WORKER_METRICS_PORT === undefined || env.METRICS_TOKEN !== undefined;
const metricsUnguarded = {
  path: ['METRICS_TOKEN'],
  message: 'must be set when WORKER_METRICS_PORT is set (at least 32 random characters)',
};

interface WorkerPorts {
  PORT: number;
  WORKERS: number;
  WORKER_METRICS_PORT?: number | undefined;
}
/** The ports of the workers, counted up from WORKER_METRICS_PORT. A refused number is NaN and is in no range. */
const workerPorts = ({ WORKERS, WORKER_METRICS_PORT: first = NaN }: WorkerPorts) => ({
  first,
  last: first + WORKERS - 1,
});
const hasWorkerPorts = (env: WorkerPorts): boolean => !(workerPorts(env).last > 65_535);
function isOfWorker(env: WorkerPorts): boolean {
  const { first, last } = workerPorts(env);
  return env.PORT >= first && env.PORT <= last;
}

/** Every variable of the product (contract, Running it). Times in milliseconds, sizes in bytes. */
export const Environment = variables
  .refine((env) => env.DATABASE_URL === undefined || env.SESSION_SECRET !== undefined, {
    path: ['SESSION_SECRET'],
    message: 'must be set when DATABASE_URL is set (at least 32 random characters)',
  })
  // Passwords and cookies are readable on the network without TLS (ASVS 5.0, 12.2.1): plain http is a decision.
  .refine((env) => isLoopback(env.HOST) || env.APP_ORIGIN !== undefined, {
    path: ['APP_ORIGIN'],
    message:
      'must be set when HOST is reachable from other machines: the https address of the proxy with TLS, or an http address to allow plain http',
  })
  .refine(guardsMetrics, metricsUnguarded)
  .refine(hasWorkerPorts, {
    path: ['WORKER_METRICS_PORT'],
    message: 'leaves no port for every worker: it is counted up for each of WORKERS, to at most 65535',
  })
  .refine((env) => !isOfWorker(env), {
    path: ['PORT'],
    message: 'must not be one of the ports of the workers, which begin at WORKER_METRICS_PORT',
  })
  .refine((env) => env.DATABASE_OWNER_URL === undefined || (env.DATABASE_URL && env.DATABASE_SYSTEM_URL), {
    path: ['DATABASE_OWNER_URL'],
    message: 'requires DATABASE_URL and DATABASE_SYSTEM_URL, the logins of api and workers',
  })
  .refine((env) => env.DATABASE_SYSTEM_URL === undefined || env.DATABASE_OWNER_URL || env.DATABASE_URL, {
    path: ['DATABASE_SYSTEM_URL'],
    message: 'requires DATABASE_URL, the login that serves requests',
  });
export type Environment = z.infer<typeof Environment>;

/** The variables of processes that check no sessions, workers and migrations: without the secrets of sessions. */
const WorkerEnvironment = variables
  .omit({ SESSION_SECRET: true, SESSION_SECRET_PREVIOUS: true })
  .refine(guardsMetrics, metricsUnguarded);
type WorkerEnvironment = z.infer<typeof WorkerEnvironment>;

/** Loopback addresses that the name localhost reaches too. */
const localNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

/**
 * URL of the product for the browser, for links and for own origins: APP_ORIGIN, else the address that the api listens on.
 * A worker may have another HOST than its api, such as a wildcard address; then it is localhost.
 */
export function publicOrigin({
  APP_ORIGIN,
  HOST,
  PORT,
}: Pick<Environment, 'APP_ORIGIN' | 'HOST' | 'PORT'>): string {
  if (APP_ORIGIN !== undefined) return APP_ORIGIN;
  const host = isLoopback(HOST) && !localNames.has(HOST) ? HOST : 'localhost';
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${PORT}`;
}

/** The origins of a public origin: both names of this machine for either of them. */
export function ownOrigins(origin: URL): string[] {
  if (!localNames.has(origin.hostname)) return [origin.origin];
  return [...localNames].map((name) => {
    const named = new URL(origin);
    named.hostname = name;
    return named.origin;
  });
}

/** Exit code for bad configuration (EX_CONFIG of sysexits.h). */
export const badConfigurationExit = 78;

/** Prints why the configuration cannot be used, without secrets, and ends the process with 78. */
export function refuseConfiguration(problem: string): never {
  process.stderr.write(`Configuration: ${problem}\n`);
  process.exit(badConfigurationExit);
}

type Variables = Record<string, string | undefined>;

/**
 * Reads the configuration; on a bad variable prints one line that names it and what it must be, and ends with 78.
 * The value itself is never printed: it may be a secret.
 */
export const readEnvironment = (source: Variables = process.env): Environment => read(Environment, source);

/** The same for a worker or a migration. */
export const readWorkerEnvironment = (source: Variables = process.env): WorkerEnvironment =>
  read(WorkerEnvironment, source);

function read<T>(schema: z.ZodType<T>, source: Variables): T {
  const parsed = schema.safeParse(source);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  return refuseConfiguration(lines.join('; '));
}
