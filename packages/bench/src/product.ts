import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  availableMemory,
  type Cluster,
  exitWithParent,
  freePort,
  oneHeap,
  overSocket,
  provision,
  smallYoungSpace,
  startCluster,
  tunedSettings,
  workerHeap,
} from '@riskboard/embedded';
import { migrateToLatest } from '@riskboard/db';
import { Client } from 'pg';

const root = path.resolve(import.meta.dirname, '../../..');
/** Of the account that the benchmarks use. */
export const accountPassword = 'a long enough password';
const owner = { name: 'riskboard', password: 'bench' };

/** A running product: database and processes with the settings of `npm start`, one api, one worker. */
export interface Product {
  origin: string;
  /** Of each api process, `origin` first. */
  origins: readonly string[];
  /** URL as the owner, which the processes use. */
  databaseUrl: string;
  /** Connection as superuser, which bypasses row-level security; for measuring only. */
  admin: Client;
  /** Of the superuser. */
  adminUrl: string;
  /** Cookie of a signed-in analyst. */
  cookie: string;
  /** API token that uploads use instead of the cookie. */
  token?: string;
  pids: Record<'api' | 'worker' | 'postgres', number>;
  /** All api processes, `pids.api` first. */
  apis: readonly number[];
  /** All worker processes, `pids.worker` first. */
  workers: readonly number[];
  /** The api and the first worker. */
  children: Readonly<Record<'api' | 'worker', ChildProcess>>;
  /** Starts or stops workers until so many run, and waits until they take jobs. */
  setWorkers(count: number): Promise<void>;
  stop(): Promise<void>;
}

async function ready(origin: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const answer = await fetch(`${origin}/api/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error('The product did not come up');
}

const email = 'bench@example.org';

/** Signs the account up, or in when the database has it from an earlier run. */
async function enter(origin: string, admin: Client): Promise<string> {
  const { rowCount } = await admin.query('select from account where email = $1', [email]);
  const password = accountPassword;
  const [action, body] =
    rowCount === 0 ? ['signup', { email, password, firstName: 'Bench' }] : ['login', { email, password }];
  const answer = await fetch(`${origin}/api/auth/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${action} answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Each worker has one session that listens for messages, under a name of its own. */
async function untilWorkersListen(admin: Client, count: number): Promise<void> {
  for (let tries = 0; tries < 2400; tries += 1) {
    const { rows } = await admin.query<{ workers: number }>(
      `select count(distinct application_name)::int as workers from pg_stat_activity
       where application_name like 'riskboard-consumer-%'`,
    );
    if (rows[0]?.workers === count) return;
    await sleep(50);
  }
  throw new Error(`There are not ${count} workers`);
}

export interface ProductOptions {
  workers?: number;
  apis?: number;
  /** Modules that each process loads before its own: what they measure. */
  imports?: readonly string[];
  /** Settings of PostgreSQL beside those of `npm start`. */
  settings?: Readonly<Record<string, string>>;
  /** Folder of the database. It is created when it is missing, and kept; by default a temporary one, deleted at the end. */
  data?: string | undefined;
}

/** The embedded PostgreSQL with an empty database of the newest version. */
export interface BenchDatabase {
  cluster: Cluster;
  /** Of the owner. */
  databaseUrl: string;
  adminUrl: string;
  stop(): Promise<void>;
}

/** Starts PostgreSQL with the settings of `npm start`, or with those given. */
export async function startBenchDatabase({
  settings,
  data,
}: Pick<ProductOptions, 'settings' | 'data'> = {}): Promise<BenchDatabase> {
  const home = data === undefined ? await mkdtemp('/tmp/riskboard-bench-') : path.resolve(data);
  await mkdir(home, { recursive: true });
  // The database's user must be able to enter it when this runs as root.
  await chmod(home, 0o711);
  const cluster = await startCluster({
    home,
    password: 'bench',
    settings: settings ?? tunedSettings(await availableMemory()),
  });
  const admin = { name: 'postgres', password: 'bench' };
  await provision(cluster.url(admin, 'postgres'), owner, { database: 'riskboard' });
  const interrupted = () => void cluster.stop().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const address = (role: typeof owner): string =>
    overSocket(cluster.url(role, 'riskboard'), path.join(home, 'postgres'));
  const databaseUrl = address(owner);
  await migrateToLatest(databaseUrl);
  return {
    cluster,
    databaseUrl,
    adminUrl: address(admin),
    async stop() {
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
      await cluster.stop();
      if (data === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

/** Starts the product on free ports; `env` adds to the environment of its processes. */
export async function startProduct(
  env: Record<string, string> = {},
  { workers: workerCount = 1, apis: apiCount = 1, imports = [], settings = {}, data }: ProductOptions = {},
): Promise<Product> {
  const tuned = tunedSettings(await availableMemory());
  const database = await startBenchDatabase({ settings: { ...tuned, ...settings }, data });
  const { cluster, databaseUrl } = database;
  const environment = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    SESSION_SECRET: 'bench'.repeat(8),
    LOG_LEVEL: 'warn',
    ...oneHeap,
    ...env,
  };
  const loaded = [exitWithParent, ...imports].flatMap((module) => ['--import', module]);
  const run = (main: string, heap: readonly string[], port = 3000) =>
    spawn(process.execPath, [...heap, ...loaded, path.join(root, main)], {
      env: { ...environment, PORT: String(port) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  const admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
  const workers = Array.from({ length: workerCount }, () => run('worker/src/main.ts', workerHeap));
  async function setWorkers(count: number): Promise<void> {
    await Promise.all(workers.splice(count).map(end));
    while (workers.length < count) workers.push(run('worker/src/main.ts', workerHeap));
    await untilWorkersListen(admin, count);
  }
  const ports: number[] = [];
  while (ports.length < apiCount) ports.push(await freePort());
  const origins = ports.map((port) => `http://localhost:${port}`);
  const apis = ports.map((port) => run('api/src/main.ts', [smallYoungSpace], port));
  const [api] = apis;
  const [worker = api] = workers;
  if (!api || !worker) throw new Error('The product needs an api');
  await Promise.all(origins.map(ready));
  const origin = origins[0] ?? '';
  return {
    origin,
    origins,
    databaseUrl,
    admin,
    adminUrl: database.adminUrl,
    cookie: await enter(origin, admin),
    pids: { api: api.pid ?? 0, worker: worker.pid ?? 0, postgres: cluster.pid },
    children: { api, worker },
    apis: apis.map(({ pid }) => pid ?? 0),
    get workers() {
      return workers.map(({ pid }) => pid ?? 0);
    },
    setWorkers,
    async stop() {
      await admin.end();
      await Promise.all([...apis, ...workers].map(end));
      await database.stop();
    },
  };
}

/** Another organization of the bench's account, with an API token. Inserted directly, because sign-ups are limited. */
export async function addOrganization(product: Product, name = ''): Promise<OrganizationOfBench> {
  const organizationId = randomUUID();
  const { admin } = product;
  await admin.query('insert into organization (organization_id, name) values ($1, $2)', [
    organizationId,
    name,
  ]);
  await admin.query(
    `insert into membership (organization_id, account_id, role) select $1, id, 'owner' from account`,
    [organizationId],
  );
  return withToken(product, organizationId);
}

export type OrganizationOfBench = Product & { organizationId: string; token: string };

/** A new API token of an organization. */
export async function withToken(product: Product, organizationId: string): Promise<OrganizationOfBench> {
  const token = `rb_${randomBytes(32).toString('base64url')}`;
  await product.admin.query(
    `insert into api_token (organization_id, id, account_id, name, role, token_hash, hint, expires_at)
     select $1, gen_random_uuid(), id, 'bench', 'owner', $2, '', now() + interval '1 day' from account`,
    [organizationId, createHash('sha256').update(token).digest()],
  );
  return { ...product, organizationId, token };
}

/** Peak resident memory of a process since the last reset, in MiB (Linux, VmHWM). */
export function peakMemory(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}

export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
