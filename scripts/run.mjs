#!/usr/bin/env node
// Entry of `npm start`, `npm test`, `npm run dev` and `npm run setup`. Plain JavaScript without packages: it runs on the installed Node (20
// or newer) before anything is installed, installs the pinned pnpm and Node, and runs the program with that Node.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { installPackages, installPnpm } from './install.mjs';
import { buildPrograms } from './build-programs.mjs';
import { buildWeb } from './build-web.mjs';
import { findNode, exitWithError } from './machine.mjs';
import { environment, programFolder, root } from './paths.mjs';
import { settingsArguments } from './settings.mjs';

const programs = {
  start: { file: join(programFolder, 'packages/embedded/src/main.mjs'), build: true },
  dev: { file: 'packages/embedded/src/dev.ts', build: false },
  // The checks build the web in one of their steps.
  test: { file: 'packages/testing/src/checks/check.ts', build: false },
  // Only installs: for the commands beside the product on a machine where it must not start yet.
  setup: { build: false },
};

/** Runs the program, forwards signals to it, and exits with its exit code. */
function runProgram(node, settings, file) {
  const child = spawn(node, [...settings, file, ...process.argv.slice(3)], {
    cwd: root,
    env: program.build ? { ...environment, RISKBOARD_PROGRAMS: join(root, programFolder) } : environment,
    // The channel lets the program end by itself when this process is killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Ctrl-C reaches the program directly and again through npm: the program ignores all but the first signal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
  endWithNpm(child);
  child.once('error', (error) => exitWithError(`${node} does not start: ${error.message}`));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** A killed npm forwards no signal, but then the parent process changes. */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 1000).unref();
}

const program = programs[process.argv[2]];
if (!program) exitWithError(`Name the program to run: ${Object.keys(programs).join(', ')}.`);

process.chdir(root);
const settings = settingsArguments();
await installPnpm();
await installPackages();
if (program.build) {
  await buildWeb();
  await buildPrograms();
}
if (program.file) runProgram(findNode(), settings, program.file);
