import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@riskboard/embedded';
import { createTestDatabase, type TestDatabase } from '@riskboard/testing';
import { startChild } from './child.ts';

/** Generous, because a browser and several processes share two cores. */
const timeoutMs = 90_000;

export interface ProductOptions {
  apis?: number;
  workers?: number;
  redisUrl?: string;
  env?: Record<string, string>;
}

/** The product as real processes with an own database. */
export interface Product {
  database: TestDatabase;
  /** Folder of the sent emails. */
  outbox: string;
  /** Address of each api process. */
  origins: string[];
  startWorker(): ChildProcess;
  /** Output of the processes so far, for the message of a failing test. */
  log(): string;
  stop(): Promise<void>;
}

async function ready(origin: string, log: () => string): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (Date.now() < until) {
    const answer = await fetch(`${origin}/api/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error(`${origin} is not ready:\n${log()}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Starts apis and workers as `npm start` does, each in its own process, and waits until they are ready. */
export async function startProduct({
  apis = 1,
  workers = 1,
  redisUrl,
  env = {},
}: ProductOptions = {}): Promise<Product> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'riskboard-journey-'));
  const children: ChildProcess[] = [];
  const written: string[] = [];
  const log = () => written.join('');

  function run(main: string, own: Record<string, string>): ChildProcess {
    const child = startChild(main, {
      DATABASE_URL: database.url,
      SESSION_SECRET: 'a secret for one journey of the tests',
      WEBHOOK_KEY: 'a key for the webhooks of one journey',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
      ...env,
      ...own,
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => written.push(String(text)));
    children.push(child);
    return child;
  }

  const startWorker = () => run('worker/src/main.ts', {});
  const origins: string[] = [];
  for (let n = 0; n < workers; n += 1) startWorker();
  for (let n = 0; n < apis; n += 1) {
    const port = await freePort();
    origins.push(`http://localhost:${port}`);
    run('api/src/main.ts', { PORT: String(port) });
  }
  await Promise.all(origins.map((origin) => ready(origin, log)));
  return {
    database,
    outbox: path.join(dataDir, 'outbox'),
    origins,
    startWorker,
    log,
    async stop() {
      await Promise.all(children.map(end));
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
