/** Where the queue lives and how long a silent worker keeps its bell. */
export interface QueueConfig {
  /** Set: BullMQ and its relay on this Redis. Unset: both on PostgreSQL. */
  redisUrl?: string;
  /** Used as it is, with the owner's role: the queue's tables are not an organisation's. */
  databaseUrl: string;
  /** Keeps installations (and tests) that share a server apart; `[A-Za-z0-9_-]{1,32}`. */
  prefix?: string;
  /** A worker that has not renewed its lock for so long has lost the bell. */
  lockMs: number;
  /** How often workers look for lost bells: takeover within about `lockMs` + 2 × `stallMs`. */
  stallMs: number;
}

/** The names that a prefix gives to the queue, the relay and the consumers' connections. */
export interface QueueNames {
  prefix: string;
  queue: string;
  consumer: string;
}

/** @throws when the prefix would not be the same name in Redis keys, relay namespaces and PostgreSQL. */
export function namesOf(config: QueueConfig): QueueNames {
  const prefix = config.prefix ?? 'riskboard';
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(prefix)) throw new Error(`Invalid queue prefix: ${prefix}`);
  return { prefix, queue: `${prefix}-jobs`, consumer: `${prefix}-consumer-` };
}

/** What the queue needs of a logger; pino's has it. */
export interface QueueLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Hears what goes wrong where no caller waits for an answer: lost connections, thrown handlers. */
export type OnError = (error: Error) => void;
