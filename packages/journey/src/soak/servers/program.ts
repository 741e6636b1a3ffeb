import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { startChild } from '../../support/child.ts';

/** An api or a worker that the run kills, freezes and starts again. */
export interface Program {
  name: string;
  pid(): number;
  /** Sends SIGKILL and starts it again. */
  restart(): Promise<void>;
  freeze(): void;
  resume(): void;
  /** Resident memory in MB; 0 while it does not run. */
  memory(): number;
  stop(): Promise<void>;
}

interface ProgramOptions {
  name: string;
  main: string;
  env: Readonly<Record<string, string>>;
  onOutput: (text: string) => void;
}

export function startProgram({ name, main, env, onOutput }: ProgramOptions): Program {
  const run = (): ChildProcess => {
    const started = startChild(main, env);
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (text: Buffer) => onOutput(`${name}: ${text.toString()}`));
    return started;
  };
  let child = run();
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return {
    name,
    pid: () => child.pid ?? 0,
    async restart() {
      await end('SIGKILL');
      child = run();
    },
    freeze: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    memory() {
      try {
        const pages = readFileSync(`/proc/${child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/u);
        return Math.round(Number(pages?.[1] ?? 0) / 1024);
      } catch {
        return 0;
      }
    },
    stop: () => end('SIGTERM'),
  };
}
