import { Redis } from 'ioredis';

/** What decides whether a Redis can hold the queue. */
export interface RedisState {
  version: string;
  /** Another one than `noeviction` deletes queued messages when memory is short. */
  policy: string;
  /** Whether an append-only file or snapshots are on. */
  isPersistent: boolean;
  /** Its clock, in milliseconds since 1970. */
  now: number;
}

const answerMs = 2000;

/** Redis refuses the login or the number of the database: waiting does not help. */
const refusals = /^(?:WRONGPASS|NOAUTH)|DB index/u;

/** Whether a Redis answers and refuses its address. */
export const isRedisRefusal = (error: unknown): boolean =>
  error instanceof Error && refusals.test(error.message);

/** The client cannot read the address; its error would print the password. */
const isInvalidAddress = (error: unknown): boolean => error instanceof TypeError || error instanceof URIError;

/** @throws when the Redis does not answer within two seconds, or refuses the address */
export async function readRedisState(url: string): Promise<RedisState> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answerMs,
    commandTimeout: answerMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Rejections only say that the connection was closed, and a refused number of a database leads to database 0.
  let reason: Error | undefined;
  redis.on('error', (error: Error) => void (reason ??= error));
  try {
    await redis.connect();
    if (reason !== undefined) throw reason;
    const info = await redis.info();
    const field = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'mu').exec(info)?.[1] ?? '';
    const [seconds, microseconds] = await redis.time();
    // A managed Redis may refuse CONFIG; it then has persistence of its own.
    const save = await redis.config('GET', 'save').then(
      (pair) => pair[1] ?? '',
      () => 'unknown',
    );
    return {
      version: field('redis_version'),
      policy: field('maxmemory_policy'),
      isPersistent: field('aof_enabled') === '1' || save !== '',
      now: Number(seconds) * 1000 + Number(microseconds) / 1000,
    };
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

/** Why the address of a Redis is refused; undefined when it may be used, or does not answer yet. */
export async function redisProblem(url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined;
  try {
    const { policy } = await readRedisState(url);
    if (policy === '' || policy === 'noeviction') return undefined;
    return `must be a Redis that evicts nothing: its maxmemory-policy is ${policy}, set it to noeviction`;
  } catch (error) {
    if (isInvalidAddress(error)) return 'must be a Redis address such as redis://user:password@host:6379';
    if (!isRedisRefusal(error)) return undefined;
    const reason = (error as Error).message.replace(/\.$/u, '');
    return `must have a user, a password and a database number that Redis accepts: ${reason}`;
  }
}
