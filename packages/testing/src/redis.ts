import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { reportMissing } from './missing.ts';

/** An own Redis database, or the reason why Redis is missing. Use with `describe.skipIf(redis.url === null)`. */
export type TestRedis = { url: string; prefix: string } | { url: null; reason: string };

/**
 * Returns an empty numbered database, and a prefix for publish/subscribe channels, which numbers do not separate.
 * Call it at the top of a test file: `const redis = await testRedisUrl()`.
 * @throws when `CI` is `true` and Redis is missing
 */
export async function testRedisUrl(): Promise<TestRedis> {
  const { redis } = inject('services');
  if (redis.kind === 'missing') {
    reportMissing('Redis', redis.reason);
    return { url: null, reason: redis.reason };
  }
  const prefix = `test-${randomBytes(4).toString('hex')}`;
  // A server with a single database is shared by prefix.
  if (redis.databases < 2) return { url: redis.url, prefix };
  const counter = new Redis(redis.url);
  try {
    const count = await counter.incr('riskboard-test-databases');
    const number = 1 + (count % (redis.databases - 1));
    await counter.select(number);
    await counter.flushdb();
    const url = new URL(redis.url);
    url.pathname = `/${number}`;
    return { url: url.href, prefix };
  } finally {
    counter.disconnect();
  }
}
