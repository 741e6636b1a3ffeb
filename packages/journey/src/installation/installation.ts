import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, freePort, migrate, provision, startCluster } from '@riskboard/embedded';
import { type RedisServer, startProxy, startRedisServer, type TcpProxy } from '@riskboard/testing';
import { Client, type QueryResultRow } from 'pg';
import { createProgram, type Program } from './program.ts';

export type Backend = 'PostgreSQL' | 'Redis';

/** A whole installation whose parts a test may kill, suspend or disconnect. */
export interface Installation {
  backend: Backend;
  /** Two apis and two workers. */
  apis: readonly Program[];
  workers: readonly Program[];
  origins: readonly string[];
  /** The connection of all processes to PostgreSQL. */
  database: TcpProxy & {
    /** Ends the server as a power cut does: connections end at once, and it recovers from its log when it starts. */
    crash(downMs?: number): Promise<void>;
  };
  /** The connection of all processes to Redis; absent on the PostgreSQL backend. */
  redis: (TcpProxy & { server: RedisServer }) | undefined;
  /** Of the administrator, who sees every organization, not through the proxy. */
  adminUrl: string;
  /** Runs a statement as the administrator. */
  admin<Row extends QueryResultRow>(statement: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Every process runs, and every connection works. */
  repair(): Promise<void>;
  /** The output of all processes. */
  log(): string;
  stop(): Promise<void>;
}

export interface InstallationOptions {
  backend: Backend;
  /** Modules that are loaded into each process before the program. */
  preload?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Receives the output of each process as it is written; `log` has all of it too. */
  onOutput?: (program: string, text: string) => void;
}

/** Short enough for tests: another worker takes over the job of a killed one after 4 to 6 seconds. */
const lockSettings = { WORKER_LOCK_MS: '3000', WORKER_STALL_MS: '1000', WORKER_CONCURRENCY: '2' };
const name = 'riskboard';

async function startDatabase(home: string) {
  const password = 'the administrator of one test';
  const owner = { name, password: 'the owner of one test' };
  const options = { home, password, settings: { max_connections: '200' } };
  let cluster: Cluster = await startCluster(options);
  const adminUrl = cluster.url({ name: 'postgres', password }, name);
  await provision(cluster.url({ name: 'postgres', password }, 'postgres'), owner, { database: name });
  return {
    adminUrl,
    ownerUrl: cluster.url(owner, name),
    async crash(downMs = 0) {
      process.kill(cluster.pid, 'SIGQUIT');
      await cluster.exited;
      await sleep(downMs);
      cluster = await startCluster({ ...options, replaces: cluster });
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

/** @returns whether an api is ready, which it is not while PostgreSQL does not answer */
export const isApiReady = (origin: string): Promise<boolean> =>
  fetch(`${origin}/api/health/ready`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Starts PostgreSQL, Redis for its backend, two apis and two workers, and waits until all are ready. */
export async function startInstallation({
  backend,
  preload = [],
  env: own = {},
  onOutput,
}: InstallationOptions): Promise<Installation> {
  const home = await mkdtemp(path.join(tmpdir(), 'riskboard-installation-'));
  const server = await startDatabase(home);
  const redisServer = backend === 'Redis' ? await startRedisServer() : undefined;
  await migrate({ ownerUrl: server.ownerUrl }, { redisUrl: redisServer?.url });
  const database = Object.assign(await startProxy(server.ownerUrl), { crash: server.crash });
  const redis = redisServer && Object.assign(await startProxy(redisServer.url), { server: redisServer });
  let log = '';
  const writer =
    (program: string) =>
    (text: string): void => {
      log += text;
      onOutput?.(program, text);
    };
  const env = {
    DATABASE_URL: database.through(server.ownerUrl),
    ...(redis && redisServer ? { REDIS_URL: redis.through(redisServer.url) } : {}),
    SESSION_SECRET: 'a secret for one installation of the tests',
    WEBHOOK_KEY: 'a key for the webhooks of one installation',
    DATA_DIR: home,
    NODE_OPTIONS: preload.map((module) => `--import=${module}`).join(' '),
    ...lockSettings,
    ...own,
  };
  const ports = [await freePort(), await freePort()];
  const origins = ports.map((port) => `http://localhost:${port}`);
  const apis = origins.map((origin, n) =>
    createProgram({
      name: `api ${n + 1}`,
      write: writer(`api ${n + 1}`),
      main: 'api/src/main.ts',
      env: { ...env, PORT: String(ports[n]), LOG_LEVEL: 'warn' },
      isReady: () => isApiReady(origin),
    }),
  );
  const workers = [1, 2].map((n) =>
    createProgram({
      name: `worker ${n}`,
      write: writer(`worker ${n}`),
      main: 'worker/src/main.ts',
      env,
      isReady: async (output) => output.includes('worker ready'),
    }),
  );
  const all = [...apis, ...workers];
  await Promise.all(all.map((program) => program.start()));
  return {
    backend,
    apis,
    workers,
    origins,
    database,
    redis,
    adminUrl: server.adminUrl,
    admin: (statement, values = []) => query(server.adminUrl, statement, values),
    async repair() {
      await database.restore();
      await redis?.restore();
      await Promise.all(all.map((program) => (program.runs() ? Promise.resolve() : program.start())));
    },
    log: () => log,
    async stop() {
      await Promise.all(all.map((program) => program.kill()));
      await database.close();
      await redis?.close();
      await redisServer?.end();
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
