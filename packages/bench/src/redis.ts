import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@riskboard/embedded';
import { Redis } from 'ioredis';

/** A Redis server without persistence, as a queue uses it; undefined where `redis-server` is not installed. */
export async function startRedis(): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', args, { stdio: 'ignore', cwd: '/tmp' });
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  return {
    url,
    async stop() {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}
