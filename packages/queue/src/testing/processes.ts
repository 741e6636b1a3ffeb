import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { QueueConfig } from '../config.ts';

/** Kills a child that a test started, also when it is suspended. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** A log file that worker processes write to, line by line; it survives their kill. */
export interface ProcessLog {
  start(config: QueueConfig, runMs: number): ChildProcess;
  lines(): Promise<string[]>;
  /** Waits until a process (any, without `by`) has logged an event. @returns its line */
  waitFor(
    event: string,
    options?: { by?: ChildProcess; not?: ChildProcess; timeoutMs?: number },
  ): Promise<string>;
  end(): Promise<void>;
}

export async function openProcessLog(): Promise<ProcessLog> {
  const folder = await mkdtemp(join(tmpdir(), 'riskboard-queue-'));
  const file = join(folder, 'log');
  const children: ChildProcess[] = [];
  const lines = async (): Promise<string[]> => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean);
  };
  return {
    start(config, runMs) {
      const args = [JSON.stringify(config), file, String(runMs)];
      const child = fork(join(import.meta.dirname, 'consumer-process.ts'), args);
      children.push(child);
      return child;
    },
    lines,
    waitFor: (event, { by, not, timeoutMs = 30_000 } = {}) =>
      vi.waitFor(
        async () => {
          const all = await lines();
          const line = all.find((entry) => {
            const [pid, what] = entry.split(' ');
            return what === event && (!by || pid === String(by.pid)) && (!not || pid !== String(not.pid));
          });
          if (!line) throw new Error(`No process logged ${event}:\n${all.join('\n')}`);
          return line;
        },
        { timeout: timeoutMs, interval: 20 },
      ),
    async end() {
      await Promise.all(children.map(kill));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Another process on the relay, and what it has reported. */
export interface RelayProcess {
  child: ChildProcess;
  reports: [string, ...unknown[]][];
  publish(topic: string, message: unknown): void;
}

export async function startRelayProcess(config: QueueConfig, pattern: string): Promise<RelayProcess> {
  const child = fork(join(import.meta.dirname, 'relay-process.ts'), [JSON.stringify(config), pattern]);
  const reports: [string, ...unknown[]][] = [];
  child.on('message', (report) => reports.push(report as [string, ...unknown[]]));
  await vi.waitFor(
    () => {
      if (!reports.some(([kind]) => kind === 'subscribed')) throw new Error('Not subscribed');
    },
    { interval: 20 },
  );
  return { child, reports, publish: (topic, message) => void child.send([topic, message]) };
}
