import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@riskboard/embedded';
import { Redis } from 'ioredis';

/** A Redis server for one test, which can be killed, frozen and restarted on the same port. */
export interface RedisServer {
  url: string;
  /** Starts it again after `kill`, with the data that it acknowledged, or empty. */
  start(data?: 'kept' | 'lost'): Promise<void>;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  end(): Promise<void>;
}

export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

/** Writes each command to its append-only file before it answers, so that a kill loses nothing that was acknowledged. */
export async function startRedisServer(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'riskboard-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const flags = [
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ];
  let server: ChildProcess;
  const start = async (data = 'kept'): Promise<void> => {
    if (data === 'lost') await emptyFolder(folder);
    server = spawn('redis-server', flags, { stdio: 'ignore' });
    await untilItAnswers(url);
  };
  await start();
  return {
    url,
    start,
    kill: () => kill(server),
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async end() {
      await kill(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function emptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
}

/** Also when it is suspended. */
async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

/** @throws after 10 s without an answer */
async function untilItAnswers(url: string): Promise<void> {
  const client = new Redis(url, {
    retryStrategy: (tries) => (tries < 200 ? 50 : null),
    maxRetriesPerRequest: null,
  });
  client.on('error', () => undefined);
  try {
    await client.ping();
  } finally {
    client.disconnect();
  }
}
