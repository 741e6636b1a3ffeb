import { testRedisUrl } from '@riskboard/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueueConfig } from './config.ts';
import { openProducer, type Producer } from './producer.ts';
import { openRelay, type Relay } from './relay.ts';
import { suiteOptions } from './testing/backends.ts';
import { newMessage, startTestConsumer, type TestConsumer } from './testing/messages.ts';

const redis = await testRedisUrl();

interface Installation {
  producer: Producer;
  relay: Relay;
  config: QueueConfig;
}

describe.skipIf(redis.url === null)(
  'two installations on one Redis with different prefixes',
  suiteOptions,
  () => {
    let one: Installation;
    let other: Installation;
    const consumers: TestConsumer[] = [];
    const open = (suffix: string): Installation => {
      if (redis.url === null) throw new Error(redis.reason);
      const config: QueueConfig = {
        redisUrl: redis.url,
        databaseUrl: 'postgres://nowhere',
        // The longest prefix that is accepted.
        prefix: `${redis.prefix}-${suffix}`.padEnd(40, '_'),
        lockMs: 3000,
        stallMs: 1000,
      };
      return { config, producer: openProducer(config), relay: openRelay(config) };
    };
    const consume = ({ config }: Installation): TestConsumer => {
      const consumer = startTestConsumer(config);
      consumers.push(consumer);
      return consumer;
    };

    beforeEach(() => {
      [one, other] = [open('one'), open('other')];
    });
    afterEach(async () => {
      await Promise.all(consumers.splice(0).map(({ consumer }) => consumer.close({ timeoutMs: 2000 })));
      for (const { producer, relay } of [one, other]) await Promise.all([producer.close(), relay.close()]);
    });

    it('run and count only their own messages and workers', async () => {
      const consumer = consume(other);
      await vi.waitFor(async () => expect(await other.producer.workers()).toBe(1));
      expect(await one.producer.workers()).toBe(0);

      await one.producer.enqueue([newMessage()]);
      const message = newMessage();
      await other.producer.enqueue([message]);
      await consumer.waitForRuns(1);
      await vi.waitFor(async () => expect((await other.producer.counts()).waiting).toBe(0));
      expect(consumer.received).toEqual([message.id]);
      expect((await one.producer.counts()).waiting).toBe(1);

      const own = consume(one);
      await own.waitForRuns(1);
    });

    it('receive only their own events', async () => {
      const received: string[] = [];
      await one.relay.subscribe('org.a.>', (message) => void received.push(`one ${String(message)}`));
      await other.relay.subscribe('org.a.>', (message) => void received.push(`other ${String(message)}`));
      await other.relay.publish('org.a.job', 'theirs');
      await one.relay.publish('org.a.job', 'ours');
      await vi.waitFor(() => expect(received).toContain('one ours'));
      await vi.waitFor(() => expect(received).toContain('other theirs'));
      expect(received).toHaveLength(2);
    });
  },
);
