import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './command.mjs';
import { checkMachine } from './machine.mjs';
import { root } from './paths.mjs';
import { isCurrent, stamp } from './stamp.mjs';

const pnpmVersion = '12.21.0';
const stampFile = 'node_modules/.riskboard-install';

const print = (line) => process.stdout.write(`${line}\n`);

function installedPnpm() {
  const file = join(root, '.tools/lib/node_modules/pnpm/package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

/** Installs the pinned pnpm into `.tools`, with the npm that runs this script or the one in `PATH`. */
export async function installPnpm() {
  checkMachine();
  if (installedPnpm() === pnpmVersion) return;
  print(`Installing pnpm ${pnpmVersion}…`);
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
  const args = ['install', '--global', `pnpm@${pnpmVersion}`, '--prefix', join(root, '.tools'), ...quiet];
  await runQuietly('Installing pnpm', npm[0], [...npm.slice(1), ...args]);
}

/** The manifests of the workspace, the lockfile and pnpm's settings. */
function manifests() {
  const folders = [
    'api',
    'worker',
    'web',
    'migrations',
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
  ];
  return [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'package.json',
    ...folders.map((folder) => `${folder}/package.json`),
  ];
}

/** Installs the packages of the lockfile, unless nothing changed since the last install. */
export async function installPackages() {
  if (isCurrent(stampFile, manifests())) return;
  print('Installing packages…');
  await runQuietly('Installing packages', join(root, '.tools/bin/pnpm'), ['install', '--frozen-lockfile']);
  stamp(stampFile, manifests());
}
