import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { reportMissing } from './missing.ts';

/** A Redis database of one's own, or the reason why there is none: `describe.skipIf(redis.url === null)`. */
export type TestRedis = { url: string; prefix: string } | { url: null; reason: string };

/**
 * An empty numbered database and a prefix for what numbers do not separate (channels of publish/subscribe).
 * Ask at the top of a test file: `const redis = await testRedisUrl()`.
 * @throws where `CI` is `true` and there is no Redis: there it may not be missing.
 */
export async function testRedisUrl(): Promise<TestRedis> {
  const { redis } = inject('services');
  if (redis.kind === 'missing') {
    reportMissing('Redis', redis.reason);
    return { url: null, reason: redis.reason };
  }
  const prefix = `test-${randomBytes(4).toString('hex')}`;
  // A server with a single database can only be shared by prefix.
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
