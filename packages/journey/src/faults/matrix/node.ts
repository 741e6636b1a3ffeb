import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startChild } from '../../support/child.ts';
import type { CrashPointName } from './crash-points.ts';

const preload = import.meta.resolve('./crash-at.ts');

export type Variables = Readonly<Record<string, string | undefined>>;

/** A process of the product that a case may kill, suspend and start again. */
export interface Node {
  child(): ChildProcess;
  /** Starts the program, with additional variables, and waits until it is ready. */
  start(extra?: Variables): Promise<void>;
  kill(): Promise<void>;
  /** Sends SIGTERM. @returns its exit code */
  stop(): Promise<number | null>;
  /** Waits until it ended by itself. */
  ended(): Promise<void>;
  runs(): boolean;
  /** The process kills itself when it next visits the crash point. */
  crashAt(name: CrashPointName): void;
}

export interface NodeOptions {
  /** The program, relative to the repository. */
  main: string;
  env: Variables;
  /** Resolves once it serves; called again until then. */
  isReady(output: string): Promise<boolean>;
  write(text: string): void;
}

export function createNode({ main, env, isReady, write }: NodeOptions): Node {
  let child: ChildProcess | undefined;
  let exited: Promise<unknown> = Promise.resolve();
  const current = (): ChildProcess => {
    if (!child) throw new Error(`${main} was not started`);
    return child;
  };
  const runs = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const ending = current();
    if (!runs()) return ending.exitCode;
    ending.kill(signal);
    await exited;
    return ending.exitCode;
  }
  return {
    child: current,
    runs,
    crashAt: (name) => void current().send({ crashAt: name }),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    async ended() {
      await exited;
    },
    async start(extra = {}) {
      let output = '';
      const started = startChild(main, { ...env, NODE_OPTIONS: `--import=${preload}`, ...extra });
      child = started;
      exited = once(started, 'exit');
      for (const stream of [started.stdout, started.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          write(text);
        });
      const until = Date.now() + 60_000;
      while (!(await isReady(output))) {
        if (started.exitCode !== null || started.signalCode !== null || Date.now() > until)
          throw new Error(`${main} does not start (exit code ${started.exitCode}):\n${output}`);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    },
  };
}
