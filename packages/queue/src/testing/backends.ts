import { randomBytes } from 'node:crypto';
import { createTestDatabase, startProxy, type TcpProxy, testRedisUrl, withClient } from '@riskboard/testing';
import { Redis } from 'ioredis';
import { expect, vi } from 'vitest';
import type { QueueConfig } from '../config.ts';
import { prepareQueue } from '../prepare.ts';

/** A backend for one test, behind a network that the test can break. */
export interface TestBackend {
  /** Connects through `network`. */
  config: QueueConfig;
  /** Connects to the server directly. */
  direct: QueueConfig;
  network: TcpProxy;
  /** Ends every connection on the server's side, as a failover or an administrator does. */
  killConnections(): Promise<void>;
  /** Deletes everything that the queue has stored. */
  wipe(): Promise<void>;
  /** Fails the test that leaves a connection open. */
  close(): Promise<void>;
}

/** Short enough for tests: a lost message is taken over after 3 to 5 seconds. */
const limits = { lockMs: 3000, stallMs: 1000 } as const;

async function openPostgres(): Promise<TestBackend> {
  const database = await createTestDatabase();
  const network = await startProxy(database.url);
  const prefix = `test-${randomBytes(4).toString('hex')}`;
  const direct: QueueConfig = { databaseUrl: database.url, prefix, ...limits };
  await prepareQueue(direct);
  return {
    config: { ...direct, databaseUrl: network.through(database.url) },
    direct,
    network,
    killConnections: () =>
      run(
        database.adminUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
      ),
    wipe: () => run(database.adminUrl, 'truncate bullmq.job, bullmq.relay_node cascade'),
    async close() {
      await network.close();
      await database.drop();
    },
  };
}

async function run(url: string, statement: string): Promise<void> {
  await withClient(url, (client) => client.query(statement));
}

const redis = await testRedisUrl();

async function openRedis(): Promise<TestBackend> {
  const given = await testRedisUrl();
  if (given.url === null) throw new Error(given.reason);
  const { url, prefix } = given;
  const network = await startProxy(url);
  const admin = new Redis(url);
  const database = new URL(url).pathname.slice(1);
  const direct: QueueConfig = { redisUrl: url, databaseUrl: 'postgres://nowhere', prefix, ...limits };
  const others = async (): Promise<string[]> => {
    const own = String(await admin.client('ID'));
    const lines = String(await admin.client('LIST'))
      .trim()
      .split('\n');
    return lines.filter((line) => line.includes(` db=${database} `) && !line.startsWith(`id=${own} `));
  };
  return {
    config: { ...direct, redisUrl: network.through(url) },
    direct,
    network,
    async killConnections() {
      for (const line of await others()) await admin.client('KILL', 'ID', line.slice(3, line.indexOf(' ')));
    },
    async wipe() {
      await admin.flushdb();
    },
    async close() {
      await network.close();
      await vi.waitFor(async () => expect(await others()).toEqual([]));
      admin.disconnect();
    },
  };
}

/** Each suite is written once and runs on both backends: `describe.each(backends)('… on $name', …)`. */
export const backends = [
  { name: 'PostgreSQL', open: openPostgres },
  ...(redis.url === null ? [] : [{ name: 'Redis', open: openRedis }]),
];

/** Time limit of each test in these suites. */
export const suiteOptions = { timeout: 60_000 } as const;
