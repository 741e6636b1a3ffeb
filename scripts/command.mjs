import { spawn } from 'node:child_process';
import { environment, root } from './paths.mjs';
import { exitWithError } from './machine.mjs';

const noNetwork =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|fetch failed/;

function explain(what, output) {
  const found = noNetwork.exec(output);
  if (found) {
    return `${what} failed: the package registry cannot be reached (${found[0]}). Check the network or npm's registry setting, then run this again.`;
  }
  return `${what} failed:\n${output.trimEnd().split('\n').slice(-30).join('\n')}`;
}

/** Runs a command. When it fails, its output is printed and this process exits. */
export function runQuietly(what, command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const append = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', (error) => exitWithError(`${what} failed: ${command}: ${error.message}`));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve();
      if (signal) process.exit(1);
      exitWithError(explain(what, output));
    });
  });
}
