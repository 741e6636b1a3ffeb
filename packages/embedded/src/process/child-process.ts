import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { drainFirst, endProcess } from './end-process.ts';
import type { Exit, Running } from './keep-running.ts';

export interface Program {
  name: string;
  /** Arguments of node: flags, then the file. */
  arguments: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Receives each line that the program writes. */
  onLine: (line: string) => void;
}

/** Imported before a program that must end with its parent, detected by the IPC channel between them. */
export const exitWithParent = new URL('exit-with-parent.ts', import.meta.url).href;

/** `exit` may precede the last lines. `close` follows them, but never happens while a grandchild keeps the pipe open. */
async function exitOf(child: ChildProcess): Promise<Exit> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return { code, reason: signal ?? `exit code ${code}` };
}

function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
}

/**
 * Starts a program of the product under the supervisor: in a process group of its own, so that Ctrl-C reaches it only through
 * the supervisor, and with exitWithParent, so that it ends by itself when the supervisor is killed.
 */
export async function startProgram(program: Program): Promise<Running> {
  const child = spawn(process.execPath, ['--import', exitWithParent, ...program.arguments], {
    cwd: program.cwd,
    env: program.environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const exited = exitOf(child);
  readLines(child.stdout, program.onLine);
  readLines(child.stderr, program.onLine);
  // When the parent's channel closes first, the error must not be unhandled.
  child.on('error', (error) => program.onLine(error.message));
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  return {
    exited,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      await Promise.all([endProcess(pid, drainFirst), exited]);
    },
  };
}
