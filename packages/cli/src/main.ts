import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { badConfigurationExit } from '@riskboard/contract/environment';
import { runCommandLine } from './run.ts';

// npm start reads the same file. Variables of the environment win.
const settings = fileURLToPath(new URL('../../../.env', import.meta.url));
if (existsSync(settings)) process.loadEnvFile(settings);
if (Object.keys(process.env).some((name) => name.startsWith('\uFEFF'))) {
  process.stderr.write('.env begins with a byte order mark: save it as UTF-8 without one.\n');
  process.exit(badConfigurationExit);
}

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort());
// The reader of a pipe, such as head, may end first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`Standard output cannot be written to: ${error.message}\n`);
  process.exit(1);
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  // pnpm changes the working folder to that of the package.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  signal: stopped.signal,
});
