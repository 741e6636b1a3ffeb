import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startChild } from '../support/child.ts';

/** Short enough for tests: another worker takes over the job of a killed one after 4 to 6 seconds. */
const lockSettings = { WORKER_LOCK_MS: '3000', WORKER_STALL_MS: '1000' };

/** A worker in its own process, as an installation runs it. */
export interface WorkerProcess {
  child: ChildProcess;
  /** Its log output so far. */
  log(): string;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM. @returns its exit code, null after a kill */
  stop(): Promise<number | null>;
}

export interface WorkerSettings {
  databaseUrl: string;
  redisUrl: string | undefined;
  /** Number of jobs at once. */
  concurrency?: number;
}

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (ended(child)) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/** Starts a worker and waits until it is ready. @throws with its log when it exits before */
export async function startWorkerProcess({
  databaseUrl,
  redisUrl,
  concurrency = 1,
}: WorkerSettings): Promise<WorkerProcess> {
  const child = startChild('worker/src/main.ts', {
    DATABASE_URL: databaseUrl,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    SESSION_SECRET: 'unused by workers, but the variable is required',
    WORKER_CONCURRENCY: String(concurrency),
    ...lockSettings,
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
