#!/usr/bin/env node
// What `npm start`, `npm test` and `npm run dev` run. Plain JavaScript without a package: it runs on the Node that is
// there (20 or newer) before anything is installed, brings in the pinned pnpm and Node, and hands over to that Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { installPackages, installPnpm } from './install.mjs';
import { buildWeb } from './build-web.mjs';
import { findNode, tellProblem } from './machine.mjs';
import { environment, root } from './paths.mjs';

const programs = {
  start: { file: 'packages/embedded/src/main.ts', web: true },
  dev: { file: 'packages/embedded/src/dev.ts', web: false },
  // The checks build the web themselves, as one of their steps.
  test: { file: 'packages/testing/src/check.ts', web: false },
};

/** Ends with the program: passes on its exit code, and to it every wish to end. */
function handOver(node, file) {
  // Node's own `--env-file-if-exists` says so on every start without one.
  const settings = existsSync(join(root, '.env')) ? ['--env-file=.env'] : [];
  const child = spawn(node, [...settings, file, ...process.argv.slice(3)], {
    cwd: root,
    env: environment,
    // The channel is the program's leash: it ends by itself when this process is killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Ctrl-C reaches the program too, and npm passes it on once more: the program takes the first and ignores the rest.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
  endWithNpm(child);
  child.once('error', (error) => tellProblem(`${node} does not start: ${error.message}`));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** npm that is killed cannot pass a signal on; the new parent gives it away. */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 1000).unref();
}

const program = programs[process.argv[2]];
if (!program) tellProblem(`Say what to run: ${Object.keys(programs).join(' or ')}.`);

process.chdir(root);
await installPnpm();
await installPackages();
if (program.web) await buildWeb();
handOver(findNode(), program.file);
