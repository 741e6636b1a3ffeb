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

/** @throws when the Redis does not answer within two seconds */
export async function readRedisState(url: string): Promise<RedisState> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answerMs,
    commandTimeout: answerMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
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
  } finally {
    redis.disconnect();
  }
}

/** Why a Redis is refused; undefined when it may be used, or does not answer yet. */
export async function redisPolicyProblem(url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined;
  const state = await readRedisState(url).catch(() => undefined);
  if (state === undefined || state.policy === '' || state.policy === 'noeviction') return undefined;
  return `must be a Redis that evicts nothing: its maxmemory-policy is ${state.policy}, set it to noeviction`;
}
