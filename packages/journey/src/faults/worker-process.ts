import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startChild } from '../leashed.ts';

/** Short enough for tests: a killed worker's job is taken over after 4 to 6 seconds. */
const patience = { WORKER_LOCK_MS: '3000', WORKER_STALL_MS: '1000' };

/** A worker as an installation runs it: one process, nothing shared but the servers. */
export interface WorkerProcess {
  child: ChildProcess;
  /** What it has written to its log. */
  log(): string;
  /** SIGKILL: it gets no word out. */
  kill(): Promise<void>;
  /** SIGTERM. @returns its exit code, null when it had to be killed */
  stop(): Promise<number | null>;
}

export interface WorkerSettings {
  databaseUrl: string;
  redisUrl: string | undefined;
  /** Jobs at once. */
  concurrency?: number;
}

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (ended(child)) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/** Starts a worker and waits until it is ready. @throws what it wrote when it ends before */
export async function startWorkerProcess({
  databaseUrl,
  redisUrl,
  concurrency = 1,
}: WorkerSettings): Promise<WorkerProcess> {
  const child = startChild('worker/src/main.ts', {
    DATABASE_URL: databaseUrl,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    SESSION_SECRET: 'no session is made by a worker; this fills the variable',
    WORKER_CONCURRENCY: String(concurrency),
    ...patience,
  });
  let log = '';
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('worker ready')) ready.resolve();
    });
  }
  child.on('exit', (code) => ready.reject(new Error(`The worker ended with ${code}:\n${log}`)));
  await ready.promise;
  return {
    child,
    log: () => log,
    kill: () => end(child, 'SIGKILL'),
    async stop() {
      await end(child, 'SIGTERM');
      return child.exitCode;
    },
  };
}
