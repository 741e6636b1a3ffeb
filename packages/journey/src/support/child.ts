import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { exitWithParent } from '@riskboard/embedded';

const root = path.resolve(import.meta.dirname, '../../../..');

/**
 * Starts a program of the product (path relative to the repository) that ends when this process does, so that an
 * interrupted or killed test run leaves no process behind.
 */
export function startChild(
  main: string,
  env: Readonly<Record<string, string | undefined>>,
  given: readonly string[] = [],
): ChildProcess {
  return spawn(process.execPath, ['--import', exitWithParent, path.join(root, main), ...given], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}
