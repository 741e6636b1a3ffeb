import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, freePort, migrate, provision, startCluster } from '@riskboard/embedded';
import { startProxy, type TcpProxy } from '@riskboard/testing';
import { type Program, startProgram } from './program.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

/** Two apis and two workers behind proxies to an own PostgreSQL and Redis. */
export interface Installation {
  origins: string[];
  apis: Program[];
  workers: Program[];
  redis: RedisServer | undefined;
  /** In front of PostgreSQL, and of Redis if there is one. */
  proxies: Record<string, TcpProxy>;
  /** For reading every organization, past the proxy. */
  adminUrl(): string;
  /** Ends PostgreSQL as `pg_ctl stop -m immediate` does, and starts it again. */
  restartDatabase(downMs: number): Promise<void>;
  stop(): Promise<void>;
}

export interface InstallationOptions {
  backend: 'postgresql' | 'redis';
  /** Modules loaded into each process before the program. */
  preload: readonly string[];
  env: Readonly<Record<string, string>>;
  onOutput: (text: string) => void;
}

const password = 'only for tests';
const owner = { name: 'riskboard', password };

/** The same locks as the tests of faults: a dead worker's job is taken over within 6 s. */
const lockSettings = { WORKER_LOCK_MS: '3000', WORKER_STALL_MS: '1000' };

export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const folder = await mkdtemp(path.join(tmpdir(), 'riskboard-soak-'));
  const home = path.join(folder, 'database');
  const port = await freePort();
  const start = (): Promise<Cluster> => startCluster({ home, password, port, fixedPort: true });
  await mkdir(home);
  let cluster = await start();
  const adminOf = (database: string) => cluster.url({ name: 'postgres', password }, database);
  await provision(adminOf('postgres'), owner, { database: 'riskboard' });
  const ownerUrl = cluster.url(owner, 'riskboard');
  const redis = options.backend === 'redis' ? await startRedisServer(path.join(folder, 'redis')) : undefined;
  if (redis) await sleep(500);
  await migrate({ ownerUrl }, redis?.url);
  const proxies: Record<string, TcpProxy> = { PostgreSQL: await startProxy(ownerUrl) };
  if (redis) proxies['Redis'] = await startProxy(redis.url);

  const env = {
    DATABASE_URL: proxies['PostgreSQL']?.through(ownerUrl) ?? ownerUrl,
    ...(redis ? { REDIS_URL: proxies['Redis']?.through(redis.url) ?? redis.url } : {}),
    SESSION_SECRET: 'a secret for one run of the soak test',
    WEBHOOK_KEY: 'a key for the webhooks of one run',
    LOG_LEVEL: 'error',
    DATA_DIR: folder,
    CWE_API_URL: '',
    ...lockSettings,
    ...(options.preload.length > 0
      ? { NODE_OPTIONS: options.preload.map((module) => `--import=${module}`).join(' ') }
      : {}),
    ...options.env,
  };
  const program = (name: string, main: string, own: Record<string, string> = {}) =>
    startProgram({ name, main, env: { ...env, ...own }, onOutput: options.onOutput });
  const workers = ['worker 1', 'worker 2'].map((name) => program(name, 'worker/src/main.ts'));
  const apis: Program[] = [];
  const origins: string[] = [];
  for (const name of ['api 1', 'api 2']) {
    const apiPort = String(await freePort());
    origins.push(`http://localhost:${apiPort}`);
    apis.push(program(name, 'api/src/main.ts', { PORT: apiPort }));
  }
  return {
    origins,
    apis,
    workers,
    redis,
    proxies,
    adminUrl: () => adminOf('riskboard'),
    async restartDatabase(downMs) {
      process.kill(cluster.pid, 'SIGQUIT');
      await cluster.exited;
      await sleep(downMs);
      cluster = await start();
    },
    async stop() {
      await Promise.all([...apis, ...workers].map((one) => one.stop()));
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
      await redis?.stop();
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
