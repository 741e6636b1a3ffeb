import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@riskboard/testing';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueueConfig } from './config.ts';
import { prepareQueue } from './prepare.ts';
import { openProducer, type Producer } from './producer.ts';
import { openRelay } from './relay.ts';
import { newMessage, startTestConsumer } from './testing/messages.ts';
import { suiteOptions } from './testing/backends.ts';
import { hasRedisServer, startRedisServer } from '@riskboard/testing';

/** A server for one test, and how many requests it has received. */
interface Counted {
  config: QueueConfig;
  requests(): Promise<number>;
  close(): Promise<void>;
}

/** The default settings of the product. */
const limits = { lockMs: 10_000, stallMs: 5000 } as const;

async function countedPostgres(): Promise<Counted> {
  const database = await createTestDatabase();
  const config: QueueConfig = { databaseUrl: database.url, ...limits };
  await prepareQueue(config);
  const client = new Client({ connectionString: database.adminUrl });
  await client.connect();
  return {
    config,
    async requests() {
      const { rows } = await client.query<{ transactions: string }>(
        `select xact_commit + xact_rollback as transactions from pg_stat_database where datname = current_database()`,
      );
      return Number(rows[0]?.transactions);
    },
    async close() {
      await client.end();
      await database.drop();
    },
  };
}

async function countedRedis(): Promise<Counted> {
  const server = await startRedisServer();
  const client = new Redis(server.url);
  return {
    config: { redisUrl: server.url, databaseUrl: 'postgres://nowhere', ...limits },
    async requests() {
      // Not the commands: their number includes those that scripts call.
      const stats = await client.info('stats');
      return Number(/total_reads_processed:(\d+)/.exec(stats)?.[1]);
    },
    async close() {
      client.disconnect();
      await server.end();
    },
  };
}

const servers = [
  { name: 'PostgreSQL', open: countedPostgres },
  ...(hasRedisServer ? [{ name: 'Redis', open: countedRedis }] : []),
];

describe.each(servers)('load and latency of the queue on $name', suiteOptions, ({ name, open }) => {
  let server: Counted;
  let producer: Producer;
  let ending: (() => Promise<void>)[];

  beforeEach(async () => {
    server = await open();
    producer = openProducer(server.config);
    ending = [];
  });
  afterEach(async () => {
    await Promise.all([producer.close(), ...ending.map((end) => end())]);
    await server.close();
  });

  it('sends fewer than 20 requests a second when idle, without errors', async () => {
    const { consumer, errors } = startTestConsumer(server.config);
    const relay = openRelay(server.config, { onError: (error) => errors.push(error) });
    ending.push(
      () => consumer.close({ timeoutMs: 1000 }),
      () => relay.close(),
    );
    await relay.subscribe('>', () => undefined);
    await producer.ping();
    await sleep(1000);
    const before = await server.requests();
    const seconds = 4;
    await sleep(seconds * 1000);
    const perSecond = ((await server.requests()) - before) / seconds;
    process.stdout.write(`${name}: idle consumer and relay ${perSecond.toFixed(1)} requests/s\n`);
    // Polling would be hundreds.
    expect(perSecond).toBeLessThan(20);
    expect(errors).toEqual([]);
  });

  it('sends the messages of a burst together, and each arrives, in their order', async () => {
    const relay = openRelay(server.config);
    ending.push(() => relay.close());
    const received: unknown[] = [];
    await relay.subscribe('org.1.>', (message) => void received.push(message));
    const burst = Array.from({ length: 500 }, (_, n) => ({ n, text: 'x'.repeat(300) }));
    const before = await server.requests();
    await Promise.all(burst.map((message) => relay.publish('org.1.job', message)));
    await vi.waitFor(() => expect(received).toHaveLength(burst.length));
    expect(received).toEqual(burst);
    // One by one it would be at least one request for each.
    expect((await server.requests()) - before).toBeLessThan(100);
  });

  it('delivers messages to an idle consumer (prints the time, does not assert it)', async () => {
    const startedAt = new Map<string, number>();
    const { consumer } = startTestConsumer(
      server.config,
      async ({ id }) => void startedAt.set(id, performance.now()),
    );
    ending.push(() => consumer.close({ timeoutMs: 1000 }));
    const times: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const message = newMessage();
      const enqueuedAt = performance.now();
      await producer.enqueue([message]);
      await vi.waitFor(() => expect(startedAt.has(message.id)).toBe(true), { interval: 1 });
      // The first rounds open connections and load scripts.
      if (round >= 10) times.push((startedAt.get(message.id) ?? 0) - enqueuedAt);
      await sleep(20);
    }
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
    process.stdout.write(`${name}: enqueue to start p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`);
  });
});
