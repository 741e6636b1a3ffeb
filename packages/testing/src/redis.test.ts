import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { testRedisUrl } from './redis.ts';

const [one, two] = await Promise.all([testRedisUrl(), testRedisUrl()]);

describe.skipIf(one.url === null)('testRedisUrl', () => {
  it('returns separate databases', async () => {
    const [a, b] = [new Redis(one.url ?? ''), new Redis(two.url ?? '')];
    await a.set('key', 'a');
    expect(await b.get('key')).toBeNull();
    expect(await a.get('key')).toBe('a');
    a.disconnect();
    b.disconnect();
  });
});
