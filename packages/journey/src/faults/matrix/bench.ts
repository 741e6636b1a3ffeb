import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrateToLatest } from '@riskboard/db';
import { type Cluster, freePort, provision, startCluster } from '@riskboard/embedded';
import { type RedisServer, startProxy, startRedisServer, type TcpProxy } from '@riskboard/testing';
import { Client, type QueryResultRow } from 'pg';
import { createNode, type Node } from './node.ts';

export type Backend = 'PostgreSQL' | 'Redis';

/** A whole installation whose parts a case may kill, suspend or disconnect. */
export interface Bench {
  backend: Backend;
  /** Two apis and two workers. */
  apis: readonly Node[];
  workers: readonly Node[];
  origins: readonly string[];
  /** The connection of all processes to PostgreSQL. */
  database: TcpProxy & { crash(): Promise<void> };
  /** The connection of all processes to Redis; absent on the PostgreSQL backend. */
  redis: (TcpProxy & { server: RedisServer }) | undefined;
  /** Runs a statement as the administrator, not through the proxy. */
  admin<Row extends QueryResultRow>(statement: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Every process runs, and every connection works. */
  repair(): Promise<void>;
  log(): string;
  stop(): Promise<void>;
}

/** Short enough for tests: another worker takes over the job of a killed one after 4 to 6 seconds. */
const lockSettings = { WORKER_LOCK_MS: '3000', WORKER_STALL_MS: '1000', WORKER_CONCURRENCY: '2' };
const name = 'riskboard';

async function startDatabase(home: string) {
  const password = 'the administrator of one test';
  const owner = { name, password: 'the owner of one test' };
  const options = { home, password };
  let cluster: Cluster = await startCluster(options);
  const fixed = { ...options, port: cluster.port, fixedPort: true };
  const adminUrl = cluster.url({ name: 'postgres', password }, name);
  await provision(cluster.url({ name: 'postgres', password }, 'postgres'), owner, { database: name });
  const ownerUrl = cluster.url(owner, name);
  await migrateToLatest(ownerUrl);
  return {
    adminUrl,
    ownerUrl,
    /** As after a power cut: connections end at once, and the server recovers from its log. */
    async crash() {
      process.kill(cluster.pid, 'SIGQUIT');
      await cluster.exited;
      cluster = await startCluster(fixed);
    },
    stop: () => cluster.stop(),
  };
}

async function query<Row extends QueryResultRow>(url: string, statement: string, values: readonly unknown[]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(statement, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}

export async function startBench(backend: Backend): Promise<Bench> {
  const home = await mkdtemp(path.join(tmpdir(), 'riskboard-faults-'));
  const server = await startDatabase(home);
  const database = Object.assign(await startProxy(server.ownerUrl), { crash: server.crash });
  const redisServer = backend === 'Redis' ? await startRedisServer() : undefined;
  const redis = redisServer && Object.assign(await startProxy(redisServer.url), { server: redisServer });
  let log = '';
  const write = (text: string): void => void (log += text);
  const env = {
    DATABASE_URL: database.through(server.ownerUrl),
    ...(redis && redisServer ? { REDIS_URL: redis.through(redisServer.url) } : {}),
    SESSION_SECRET: 'a secret for one bench of the fault tests',
    WEBHOOK_KEY: 'a key for the webhooks of one bench',
    DATA_DIR: home,
    ...lockSettings,
  };
  const ports = [await freePort(), await freePort()];
  const origins = ports.map((port) => `http://localhost:${port}`);
  const apis = ports.map((port, n) =>
    createNode({
      main: 'api/src/main.ts',
      env: { ...env, PORT: String(port), LOG_LEVEL: 'warn' },
      write,
      isReady: () =>
        fetch(`${origins[n]}/api/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
    }),
  );
  const workers = [1, 2].map(() =>
    createNode({
      main: 'worker/src/main.ts',
      env,
      write,
      isReady: async (output) => output.includes('worker ready'),
    }),
  );
  const all = [...apis, ...workers];
  await Promise.all(all.map((node) => node.start()));
  return {
    backend,
    apis,
    workers,
    origins,
    database,
    redis,
    admin: (statement, values = []) => query(server.adminUrl, statement, values),
    async repair() {
      await database.restore();
      await redis?.restore();
      await Promise.all(all.map((node) => (node.runs() ? Promise.resolve() : node.start())));
    },
    log: () => log,
    async stop() {
      await Promise.all(all.map((node) => node.kill()));
      await database.close();
      await redis?.close();
      await redisServer?.end();
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
