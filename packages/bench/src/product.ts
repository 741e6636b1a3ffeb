import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  availableMemory,
  exitWithParent,
  freePort,
  provision,
  startCluster,
  tunedSettings,
} from '@riskboard/embedded';
import { migrateToLatest } from '@riskboard/db';
import { Client } from 'pg';

const root = path.resolve(import.meta.dirname, '../../..');
/** Of the account that the benchmarks use. */
export const accountPassword = 'a long enough password';
const owner = { name: 'riskboard', password: 'bench' };

/** A running product: database with the settings of `npm start`, one api, one worker. */
export interface Product {
  origin: string;
  /** URL as superuser, which bypasses row-level security; for measuring only. */
  admin: Client;
  /** Cookie of a signed-in analyst. */
  cookie: string;
  /** API token that uploads use instead of the cookie. */
  token?: string;
  pids: Record<'api' | 'worker' | 'postgres', number>;
  /** All worker processes, `pids.worker` first. */
  workers: readonly number[];
  stop(): Promise<void>;
}

async function ready(origin: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await fetch(`${origin}/api/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error('The product did not come up');
}

async function signUp(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({
      email: 'bench@example.org',
      password: accountPassword,
      firstName: 'Bench',
    }),
  });
  if (answer.status !== 201) throw new Error(`Sign-up answered ${answer.status}: ${await answer.text()}`);
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

/** Starts the product on free ports; `env` adds to the environment of its processes. */
export async function startProduct(
  env: Record<string, string> = {},
  { workers: workerCount = 1 }: { workers?: number } = {},
): Promise<Product> {
  const home = await mkdtemp('/tmp/riskboard-bench-');
  // The database's user must be able to enter it when this runs as root.
  await chmod(home, 0o711);
  const settings = tunedSettings(await availableMemory());
  const cluster = await startCluster({ home, password: 'bench', settings });
  await provision(cluster.url({ name: 'postgres', password: 'bench' }, 'postgres'), owner, {
    database: 'riskboard',
  });
  const interrupted = () => void cluster.stop().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const databaseUrl = cluster.url(owner, 'riskboard');
  await migrateToLatest(databaseUrl);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const environment = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    SESSION_SECRET: 'bench'.repeat(8),
    PORT: String(port),
    LOG_LEVEL: 'warn',
    ...env,
  };
  const run = (main: string) =>
    spawn(process.execPath, ['--import', exitWithParent, path.join(root, main)], {
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  const workers = Array.from({ length: workerCount }, () => run('worker/src/main.ts'));
  const api = run('api/src/main.ts');
  await ready(origin);
  const admin = new Client({
    connectionString: cluster.url({ name: 'postgres', password: 'bench' }, 'riskboard'),
  });
  await admin.connect();
  return {
    origin,
    admin,
    cookie: await signUp(origin),
    pids: { api: api.pid ?? 0, worker: workers[0]?.pid ?? 0, postgres: cluster.pid },
    workers: workers.map(({ pid }) => pid ?? 0),
    async stop() {
      await admin.end();
      await Promise.all([api, ...workers].map(end));
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
      await cluster.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Another organization of the bench's account, with an API token. Inserted directly, because sign-ups are limited. */
export async function addOrganization(
  product: Product,
): Promise<Product & { organizationId: string; token: string }> {
  const [organizationId, token] = [randomUUID(), `rb_${randomBytes(32).toString('base64url')}`];
  const { admin } = product;
  await admin.query('insert into organization (organization_id) values ($1)', [organizationId]);
  await admin.query(
    `insert into membership (organization_id, account_id, role) select $1, id, 'owner' from account`,
    [organizationId],
  );
  await admin.query(
    `insert into api_token (organization_id, id, account_id, name, role, token_hash, hint, expires_at)
     select $1, $1, id, 'bench', 'owner', $2, '', now() + interval '1 day' from account`,
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
