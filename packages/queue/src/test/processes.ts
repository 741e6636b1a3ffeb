import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { QueueConfig } from '../config.ts';

/** Ends a child that a test started; a stopped one dies of it too. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** What worker processes wrote down, line by line: it outlives a kill. */
export interface Diary {
  start(config: QueueConfig, runMs: number): ChildProcess;
  lines(): Promise<string[]>;
  /** Waits for a line that a process (any, without `by`) wrote. @returns the line */
  says(
    word: string,
    options?: { by?: ChildProcess; not?: ChildProcess; timeoutMs?: number },
  ): Promise<string>;
  end(): Promise<void>;
}

export async function openDiary(): Promise<Diary> {
  const folder = await mkdtemp(join(tmpdir(), 'riskboard-queue-'));
  const file = join(folder, 'diary');
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
    says: (word, { by, not, timeoutMs = 10_000 } = {}) =>
      vi.waitFor(
        async () => {
          const all = await lines();
          const said = all.find((line) => {
            const [pid, what] = line.split(' ');
            return what === word && (!by || pid === String(by.pid)) && (!not || pid !== String(not.pid));
          });
          if (!said) throw new Error(`Nobody ${word}:\n${all.join('\n')}`);
          return said;
        },
        { timeout: timeoutMs, interval: 20 },
      ),
    async end() {
      await Promise.all(children.map(kill));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Another process on the relay, and what it has told us. */
export interface RelayProcess {
  child: ChildProcess;
  told: [string, ...unknown[]][];
  publish(topic: string, message: unknown): void;
}

export async function startRelayProcess(config: QueueConfig, pattern: string): Promise<RelayProcess> {
  const child = fork(join(import.meta.dirname, 'relay-process.ts'), [JSON.stringify(config), pattern]);
  const told: [string, ...unknown[]][] = [];
  child.on('message', (words) => told.push(words as [string, ...unknown[]]));
  await vi.waitFor(
    () => {
      if (!told.some(([word]) => word === 'subscribed')) throw new Error('Not subscribed');
    },
    { timeout: 15_000, interval: 20 },
  );
  return { child, told, publish: (topic, message) => void child.send([topic, message]) };
}
