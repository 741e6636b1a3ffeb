import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueueConfig } from './config.ts';
import { openProducer, type Producer } from './producer.ts';
import { newMessage, newMessages, startTestConsumer, type TestConsumer } from './test/messages.ts';
import { suiteOptions } from './test/backends.ts';
import { hasRedisServer, startRedisServer, type RedisServer } from '@riskboard/testing';

const recovery = { timeout: 15_000, interval: 100 } as const;

describe.skipIf(!hasRedisServer)('queue during faults of the Redis server', suiteOptions, () => {
  let server: RedisServer;
  let config: QueueConfig;
  let producer: Producer;
  let listener: TestConsumer;

  beforeEach(async () => {
    server = await startRedisServer();
    config = { redisUrl: server.url, databaseUrl: 'postgres://nowhere', lockMs: 3000, stallMs: 1000 };
    producer = openProducer(config);
    listener = startTestConsumer(config, () => sleep(5));
    await producer.enqueue([newMessage()]);
    await listener.waitForRuns(1);
  });
  afterEach(async () => {
    await Promise.all([listener.consumer.close({ timeoutMs: 1000 }), producer.close()]);
    await server.end();
  });

  it('no acknowledged message is lost when the server is killed and restarted', async () => {
    const many = newMessages(300);
    const enqueued: string[] = [];
    const enqueuing = (async () => {
      for (const message of many) {
        await producer.enqueue([message]).then(
          () => enqueued.push(message.id),
          () => sleep(20),
        );
      }
    })();
    await sleep(100);
    await server.kill();
    await sleep(1500);
    await server.start();
    await enqueuing;
    await vi.waitFor(() => expect(enqueued.filter((id) => listener.runsOf(id) === 0)).toEqual([]), recovery);
    const message = newMessage();
    await vi.waitFor(() => producer.enqueue([message]), recovery);
    await vi.waitFor(() => expect(listener.runsOf(message.id)).toBe(1), recovery);
  });

  it('with a frozen server, enqueue fails within a second, and repeating it later is harmless', async () => {
    const message = newMessage();
    server.freeze();
    const start = performance.now();
    await expect(producer.enqueue([message])).rejects.toThrow(/timed out|no answer/i);
    // The limit is a second. Without it, the call would wait for the socket timeout of five.
    expect(performance.now() - start).toBeLessThan(4000);
    server.thaw();
    await vi.waitFor(() => producer.enqueue([message]), recovery);
    await vi.waitFor(() => expect(listener.runsOf(message.id)).toBeGreaterThan(0), recovery);
    await vi.waitFor(
      async () => expect(await producer.counts()).toEqual({ waiting: 0, active: 0, delayed: 0 }),
      recovery,
    );
  });

  it('a full server refuses enqueue with its reason', async () => {
    const admin = new Redis(server.url);
    await admin.config('SET', 'maxmemory', '1mb');
    await expect(producer.enqueue([newMessage()])).rejects.toThrow('OOM');
    await admin.config('SET', 'maxmemory', '0');
    admin.disconnect();
    const message = newMessage();
    await producer.enqueue([message]);
    await vi.waitFor(() => expect(listener.runsOf(message.id)).toBe(1), recovery);
  });
});
