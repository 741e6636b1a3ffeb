import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@riskboard/embedded';
import { Redis } from 'ioredis';
import { images } from './containers.ts';
import { type Missing, missing, type RedisService, type Machine } from './services.ts';

interface Started {
  service: RedisService | Missing;
  stop(): Promise<void>;
}

const databases = 1000;
const flags = ['--databases', String(databases), '--save', '', '--appendonly', 'no'];
const nothing = async (): Promise<void> => {};

async function answers(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

async function useGiven(url: string): Promise<Started> {
  if (!(await answers(url))) return { service: missing('TEST_REDIS_URL does not answer'), stop: nothing };
  const client = new Redis(url);
  try {
    const [, count] = (await client.config('GET', 'databases').catch(() => [])) as string[];
    const known = Number(count ?? 1);
    return { service: { kind: 'redis', origin: 'TEST_REDIS_URL', url, databases: known }, stop: nothing };
  } finally {
    client.disconnect();
  }
}

async function startContainer(): Promise<Started> {
  const { RedisContainer } = await import('@testcontainers/redis');
  // The official image switches the protected mode off itself; other images refuse calls from outside with it.
  const command = ['redis-server', '--protected-mode', 'no', ...flags];
  const container = await new RedisContainer(images.redis).withCommand(command).start();
  return {
    service: {
      kind: 'redis',
      origin: `container ${images.redis}`,
      url: container.getConnectionUrl(),
      databases,
    },
    stop: async () => void (await container.stop()),
  };
}

async function startLocal(folder: string): Promise<Started> {
  const port = await freePort();
  // A later run finds a server that a killed run left by its working directory.
  const address = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder];
  const server = spawn('redis-server', [...address, ...flags], { stdio: 'ignore' });
  const failed = new Promise<string>((resolve) => {
    server.once('error', () =>
      resolve('no redis-server on this machine, no TEST_REDIS_URL and no container engine'),
    );
    server.once('exit', (code) => resolve(`redis-server ended with ${code}`));
  });
  const url = `redis://127.0.0.1:${port}`;
  let problem: string | undefined;
  void failed.then((reason) => (problem = reason));
  while (!(await answers(url)))
    if (problem !== undefined) return { service: missing(problem), stop: nothing };
  return {
    service: { kind: 'redis', origin: 'local redis-server', url, databases },
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
}

/** Provides a Redis for this run: TEST_REDIS_URL, a container, or the local redis-server. */
export async function startRedis({ engine, folder }: Machine): Promise<Started> {
  const given = process.env['TEST_REDIS_URL'];
  if (given) return useGiven(given);
  if (!engine) return startLocal(folder);
  return startContainer().catch((error: unknown) => {
    process.stderr.write(`No Redis container (${String(error)}): using the local redis-server.\n`);
    return startLocal(folder);
  });
}
