import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';

const oldest = 20;
const wanted = 24;
const machines = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const machine = `${platform()}-${arch()}`;
const running = Number(process.versions.node.split('.')[0]);

/** Prints one line and exits. */
export function exitWithError(line, code = 1) {
  process.stderr.write(`${line}\n`);
  process.exit(code);
}

/** Checks the Node version, the folder and the platform before anything is downloaded. */
export function checkMachine() {
  if (running < oldest) exitWithError(`Riskboard needs Node ${oldest} or newer; this is ${process.version}.`);
  // Vite cuts the names of files there.
  if (/[#?]/u.test(root))
    exitWithError(`Riskboard cannot be built in a folder whose path has # or ?: move ${root}.`);
  if (machines.includes(machine)) return;
  exitWithError(`Riskboard runs on ${machines.join(', ')}, not on ${machine} (on Windows: in WSL).`);
}

/** Path of the Node that the lockfile pins, else of the running one if it is new enough. */
export function findNode() {
  const pinned = join(root, 'node_modules', `node-${machine}`, 'bin/node');
  if (existsSync(pinned)) return pinned;
  if (running >= wanted) return process.execPath;
  return exitWithError(`Node ${wanted} was not installed for ${machine}: remove node_modules and run again.`);
}
