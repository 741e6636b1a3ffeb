import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { exitWithParent } from '@riskboard/embedded';

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * Starts a program of the product, named from the root, that ends when this process does: a run of the tests that is
 * interrupted, even killed, leaves nothing behind.
 */
export function startChild(main: string, env: Readonly<Record<string, string | undefined>>): ChildProcess {
  return spawn(process.execPath, ['--import', exitWithParent, path.join(root, main)], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}
