import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { leash } from '@riskboard/embedded';

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * Starts a program of the product, named from the root, that ends when this process does: a run of the tests that is
 * interrupted, even killed, leaves nothing behind.
 */
export function startLeashed(main: string, env: Readonly<Record<string, string | undefined>>): ChildProcess {
  return spawn(process.execPath, ['--import', leash, path.join(root, main)], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}
