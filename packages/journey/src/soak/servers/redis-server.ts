import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@riskboard/embedded';

/** A Redis server with an append-only file. */
export interface RedisServer {
  url: string;
  pid(): number;
  /** Sends SIGKILL and starts it again, with its data or empty. */
  restart(options: { keepData: boolean; downMs: number }): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedisServer(folder: string): Promise<RedisServer> {
  const port = await freePort();
  let server: ChildProcess;
  async function start(): Promise<void> {
    await mkdir(folder, { recursive: true });
    const flags = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'];
    server = spawn(
      'redis-server',
      ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, ...flags],
      {
        stdio: 'ignore',
      },
    );
    await once(server, 'spawn');
  }
  async function kill(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  }
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => server.pid ?? 0,
    async restart({ keepData, downMs }) {
      await kill();
      if (!keepData) await rm(folder, { recursive: true, force: true });
      await sleep(downMs);
      await start();
    },
    stop: kill,
  };
}
