import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { startChild } from '../support/child.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** A process of the product that a test may kill, suspend and start again. */
export interface Program {
  name: string;
  child(): ChildProcess;
  /** Starts it, with additional variables, and waits until it is ready. */
  start(extra?: Variables): Promise<void>;
  kill(): Promise<void>;
  /** Sends SIGKILL and starts it again, without waiting until it is ready. */
  restart(): Promise<void>;
  /** Sends SIGTERM. @returns its exit code */
  stop(): Promise<number | null>;
  freeze(): void;
  resume(): void;
  /** Waits until it ended by itself. */
  ended(): Promise<void>;
  runs(): boolean;
  /** Resident memory in MB; 0 while it does not run. */
  memory(): number;
}

export interface ProgramOptions {
  name: string;
  /** The program, relative to the repository. */
  main: string;
  env: Variables;
  /** Resolves once it serves; called again until then. */
  isReady(output: string): Promise<boolean>;
  write(text: string): void;
}

const readyWithinMs = 60_000;

export function createProgram({ name, main, env, isReady, write }: ProgramOptions): Program {
  let child: ChildProcess | undefined;
  let exited: Promise<unknown> = Promise.resolve();
  let output = '';
  const current = (): ChildProcess => {
    if (!child) throw new Error(`${name} was not started`);
    return child;
  };
  const runs = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  function run(extra: Variables = {}): void {
    output = '';
    const started = startChild(main, { ...env, ...extra });
    child = started;
    exited = once(started, 'exit');
    for (const stream of [started.stdout, started.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        write(text);
      });
  }
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const ending = current();
    if (!runs()) return ending.exitCode;
    ending.kill(signal);
    await exited;
    return ending.exitCode;
  }
  return {
    name,
    child: current,
    runs,
    kill: async () => void (await end('SIGKILL')),
    async restart() {
      await end('SIGKILL');
      run();
    },
    stop: () => end('SIGTERM'),
    freeze: () => void current().kill('SIGSTOP'),
    resume: () => void current().kill('SIGCONT'),
    async ended() {
      await exited;
    },
    memory() {
      if (!runs()) return 0;
      const resident = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${current().pid}/status`, 'utf8'));
      return Math.round(Number(resident?.[1] ?? 0) / 1024);
    },
    async start(extra) {
      run(extra);
      const until = Date.now() + readyWithinMs;
      while (!(await isReady(output))) {
        if (!runs() || Date.now() > until)
          throw new Error(`${name} does not start (exit code ${current().exitCode}):\n${output}`);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    },
  };
}
