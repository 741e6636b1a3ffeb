import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueueConfig } from './config.ts';
import { openProducer, type Producer } from './producer.ts';
import { openRelay } from './relay.ts';
import { isRefusedWrite } from './connection/refused-write.ts';
import { newMessage, newMessages, startTestConsumer, type TestConsumer } from './testing/messages.ts';
import { suiteOptions } from './testing/backends.ts';
import { recovery } from './testing/queue-fixture.ts';
import { hasRedisServer, startProxy, startRedisServer, type RedisServer } from '@riskboard/testing';

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
    await expect(producer.ping()).rejects.toSatisfy(isRefusedWrite);
    await admin.config('SET', 'maxmemory', '0');
    admin.disconnect();
    const message = newMessage();
    await producer.enqueue([message]);
    await vi.waitFor(() => expect(listener.runsOf(message.id)).toBe(1), recovery);
  });

  it('after a failover that leaves connections open, all of them move to the new server', async () => {
    const network = await startProxy(server.url);
    const successor = await startRedisServer();
    const moved = { ...config, redisUrl: network.through(server.url) };
    const sender = openProducer(moved);
    const receiver = startTestConsumer(moved);
    const relay = openRelay(moved);
    const received: unknown[] = [];
    await relay.subscribe('org.a.>', (message) => void received.push(message));
    await vi.waitFor(() => sender.ping(), recovery);

    const admin = new Redis(server.url);
    const { hostname, port } = new URL(successor.url);
    await admin.replicaof(hostname, Number(port));
    await expect(sender.ping()).rejects.toSatisfy(isRefusedWrite);
    // The address leads to the new server.
    network.redirect(successor.url);

    await vi.waitFor(() => sender.ping(), recovery);
    const message = newMessage();
    await vi.waitFor(() => sender.enqueue([message]), recovery);
    await vi.waitFor(() => expect(receiver.runsOf(message.id)).toBe(1), recovery);
    await vi.waitFor(async () => {
      await relay.publish('org.a.job', 'after');
      expect(received).toContain('after');
    }, recovery);
    admin.disconnect();
    await Promise.all([receiver.consumer.close({ timeoutMs: 1000 }), sender.close(), relay.close()]);
    await network.close();
    await successor.end();
  });
});
