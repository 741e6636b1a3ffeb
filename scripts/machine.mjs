import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';

const oldest = 20;
const wanted = 24;
const machines = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const machine = `${platform()}-${arch()}`;
const running = Number(process.versions.node.split('.')[0]);

/** One line, and the end. */
export function tellProblem(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** Looked at before anything is fetched. */
export function checkMachine() {
  if (running < oldest) tellProblem(`Riskboard needs Node ${oldest} or newer; this is ${process.version}.`);
  if (machines.includes(machine)) return;
  tellProblem(`Riskboard runs on ${machines.join(', ')}, not on ${machine} (on Windows: in WSL).`);
}

/** The Node that the lockfile pins; else the running one, where it is new enough. */
export function findNode() {
  const pinned = join(root, 'node_modules', `node-${machine}`, 'bin/node');
  if (existsSync(pinned)) return pinned;
  if (running >= wanted) return process.execPath;
  return tellProblem(`Node ${wanted} was not installed for ${machine}: remove node_modules and run again.`);
}
