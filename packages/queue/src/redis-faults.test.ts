import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueueConfig } from './config.ts';
import { openProducer, type Producer } from './producer.ts';
import { aBell, bells, listen, type Listener } from './test/bells.ts';
import { suiteOptions } from './test/backends.ts';
import { hasRedisServer, startRedisServer, type RedisServer } from './test/redis-server.ts';

const recovery = { timeout: 15_000, interval: 100 } as const;

describe.skipIf(!hasRedisServer)('a Redis server in trouble', suiteOptions, () => {
  let server: RedisServer;
  let config: QueueConfig;
  let producer: Producer;
  let listener: Listener;

  beforeEach(async () => {
    server = await startRedisServer();
    config = { redisUrl: server.url, databaseUrl: 'postgres://nowhere', lockMs: 3000, stallMs: 1000 };
    producer = openProducer(config);
    listener = listen(config, () => sleep(5));
    await producer.ring([aBell()]);
    await listener.hears(1);
  });
  afterEach(async () => {
    await Promise.all([listener.consumer.close({ timeoutMs: 1000 }), producer.close()]);
    await server.end();
  });

  it('killed with -9 and started again: nothing acknowledged is lost, nobody restarts', async () => {
    const many = bells(300);
    const rung: string[] = [];
    const ringing = (async () => {
      for (const bell of many) {
        await producer.ring([bell]).then(
          () => rung.push(bell.id),
          () => sleep(20),
        );
      }
    })();
    await sleep(100);
    await server.kill();
    await sleep(1500);
    await server.start();
    await ringing;
    await vi.waitFor(() => expect(rung.filter((id) => listener.times(id) === 0)).toEqual([]), recovery);
    const bell = aBell();
    await vi.waitFor(() => producer.ring([bell]), recovery);
    await vi.waitFor(() => expect(listener.times(bell.id)).toBe(1), recovery);
  });

  it('frozen: a ring fails in a second, lands later, and does no harm when the sweep repeats it', async () => {
    const bell = aBell();
    server.freeze();
    const start = performance.now();
    await expect(producer.ring([bell])).rejects.toThrow(/timed out|no answer/i);
    expect(performance.now() - start).toBeLessThan(1400);
    server.thaw();
    await vi.waitFor(() => producer.ring([bell]), recovery);
    await vi.waitFor(() => expect(listener.times(bell.id)).toBeGreaterThan(0), recovery);
    await vi.waitFor(
      async () => expect(await producer.counts()).toEqual({ waiting: 0, active: 0, delayed: 0 }),
      recovery,
    );
  });

  it('full: a ring is refused and says why', async () => {
    const admin = new Redis(server.url);
    await admin.config('SET', 'maxmemory', '1mb');
    await expect(producer.ring([aBell()])).rejects.toThrow('OOM');
    await admin.config('SET', 'maxmemory', '0');
    admin.disconnect();
    const bell = aBell();
    await producer.ring([bell]);
    await vi.waitFor(() => expect(listener.times(bell.id)).toBe(1), recovery);
  });
});
