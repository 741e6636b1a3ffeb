/** Where the queue is stored and when a silent worker loses its message. */
export interface QueueConfig {
  /** Set: BullMQ and its relay on this Redis. Unset: both on PostgreSQL. */
  redisUrl?: string;
  /** Address of the owner of the queue's tables, which belong to no organization, or of a login that may take `databaseRole`. */
  databaseUrl: string;
  /** The role that the sessions take; absent: that of the login. */
  databaseRole?: string;
  /** Separates installations (and tests) that share a server; `[A-Za-z0-9_-]{1,40}`. */
  prefix?: string;
  /** A worker that has not renewed its lock for this long loses the message, in milliseconds. */
  lockMs: number;
  /** How often workers look for lost messages, in milliseconds: takeover within about `lockMs` + 2 × `stallMs`. */
  stallMs: number;
}

interface QueueVariables {
  DATABASE_URL: string;
  /** The login of the system role, where there is one. */
  DATABASE_SYSTEM_URL?: string | undefined;
  REDIS_URL?: string | undefined;
  REDIS_PREFIX: string;
  WORKER_LOCK_MS: number;
  WORKER_STALL_MS: number;
}

/**
 * The queue of an installation: api and workers must derive the same one from their variables.
 * @param systemRole the role that the login of the system takes
 */
export const queueConfig = (env: QueueVariables, systemRole: string): QueueConfig => ({
  ...(env.REDIS_URL ? { redisUrl: env.REDIS_URL, prefix: env.REDIS_PREFIX } : {}),
  databaseUrl: env.DATABASE_SYSTEM_URL ?? env.DATABASE_URL,
  ...(env.DATABASE_SYSTEM_URL ? { databaseRole: systemRole } : {}),
  lockMs: env.WORKER_LOCK_MS,
  stallMs: env.WORKER_STALL_MS,
});

/** Names of the queue, the relay and the consumers' connections, derived from the prefix. */
export interface QueueNames {
  prefix: string;
  queue: string;
  consumer: string;
}

/** @throws when the prefix is not valid in Redis keys, relay namespaces and PostgreSQL alike. */
export function namesOf(config: QueueConfig): QueueNames {
  const prefix = config.prefix ?? 'riskboard';
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(prefix)) throw new Error(`Invalid queue prefix: ${prefix}`);
  return { prefix, queue: `${prefix}-jobs`, consumer: `${prefix}-consumer-` };
}

/** The part of a pino logger that the queue uses. */
export interface QueueLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Receives errors that no caller awaits: lost connections, handlers that throw. */
export type OnError = (error: Error) => void;
