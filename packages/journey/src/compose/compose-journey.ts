// `pnpm journey:compose`: builds the image, runs docker-compose.yml with two apis and four workers, stops a worker and
// Redis during an import, removes all containers, starts them again, and checks that the data and a backup are
// still there. BASE_IMAGE, POSTGRES_IMAGE and REDIS_IMAGE choose other images. Without a container engine it says so and
// ends with 0.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const sample = `${root}/packages/embedded/sample/northquay-logistics-2025.json`;
const port = process.env['PORT'] ?? '3947';
const origin = `http://127.0.0.1:${port}`;
const largestImage = 350_000_000;
const project = 'riskboard-journey';

const secret = (): string => randomBytes(16).toString('hex');
const environment = {
  ...process.env,
  COMPOSE_PROJECT_NAME: project,
  PORT: port,
  APP_ORIGIN: origin,
  SESSION_SECRET: secret() + secret(),
  POSTGRES_PASSWORD: secret(),
  POSTGRES_APP_PASSWORD: secret(),
  POSTGRES_SYSTEM_PASSWORD: secret(),
  POSTGRES_SUPERUSER_PASSWORD: secret(),
  REDIS_PASSWORD: secret(),
  // The worst defaults that an image can have: the database must be UTF8 with them too.
  POSTGRES_INITDB_ARGS: '--encoding=SQL_ASCII --locale=C',
};

function run(command: string, ...args: string[]): string {
  const options = { cwd: root, env: environment, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 } as const;
  return execFileSync(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

const answers = (command: string, ...args: string[]): boolean => {
  try {
    run(command, ...args);
    return true;
  } catch {
    return false;
  }
};

const isPlugin = answers('docker', 'compose', 'version');
const compose = (...args: string[]): string =>
  isPlugin ? run('docker', 'compose', ...args) : run('docker-compose', ...args);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function until<T>(what: string, seconds: number, check: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await check().catch(() => undefined);
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${seconds} s`);
    await delay(500);
  }
}

let cookie = '';
async function call(path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const reply = await fetch(`${origin}${path}`, {
    ...init,
    headers: { origin, cookie, ...(init.headers as Record<string, string>) },
    signal: AbortSignal.timeout(30_000),
  });
  const set = reply.headers.getSetCookie().map((one) => one.split(';')[0]);
  if (set.length > 0) cookie = set.join('; ');
  const body = (await reply.json()) as Record<string, unknown>;
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${JSON.stringify(body)}`);
  return body;
}

const post = (path: string, body: object): Promise<Record<string, unknown>> =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const ready = (): Promise<unknown> => until('readiness', 180, () => call('/api/health/ready'));

async function upload(name: string): Promise<void> {
  const form = new FormData();
  form.set('stixFile', new Blob([readFileSync(sample)], { type: 'application/json' }), name);
  await call('/api/reports/upload?extract=vulnerabilities,threats', { method: 'POST', body: form });
}

const idle = (files: number): Promise<string> =>
  until('the end of all jobs', 180, async () => {
    const { jobs, files: stored, vulnerabilities, threats } = await call('/api/reports/overview');
    const { queued, running, failed } = jobs as Record<string, number>;
    if (failed !== 0) throw new Error(`${failed} jobs failed`);
    if (queued !== 0 || running !== 0 || stored !== files) return undefined;
    return JSON.stringify({ files: stored, vulnerabilities, threats });
  });

const containersOf = (service: string): string[] => compose('ps', '-q', service).split('\n').filter(Boolean);

/** The compose file publishes one port, so the second api listens only inside the network. */
function startSecondApi(): void {
  compose('run', '--detach', '--name', `${project}-api2`, 'api');
}

async function healthy(services: readonly string[]): Promise<void> {
  await until('health of every container', 120, async () => {
    const states = services
      .flatMap(containersOf)
      .map((id) => run('docker', 'inspect', '--format', '{{.State.Health.Status}}', id));
    return states.every((state) => state === 'healthy') || undefined;
  });
}

const backupFile = '/backups/journey.backup';
/** The size of the backup in its volume, in bytes. */
const backupSize = (): string => compose('exec', '-T', 'backup', 'stat', '--format=%s', backupFile).trim();

async function journey(): Promise<void> {
  if (!answers('docker', 'image', 'inspect', 'riskboard') || process.env['SKIP_BUILD'] !== '1')
    compose('build', 'api');
  const bytes = Number(run('docker', 'image', 'inspect', '--format', '{{.Size}}', 'riskboard'));
  say(`image: ${Math.round(bytes / 1e6)} MB`);
  if (bytes > largestImage) throw new Error('The image is larger than 350 MB.');

  const begin = Date.now();
  compose('up', '--detach', '--no-build', '--scale', 'worker=4');
  startSecondApi();
  await ready();
  say(`up, two apis and four workers, ready after ${Math.round((Date.now() - begin) / 1000)} s`);
  await healthy(['postgres', 'redis', 'api', 'worker', 'backup']);
  say('every container is healthy');

  const account = { email: 'compose@example.org', password: `${secret()}!A`, firstName: 'Compose' };
  await post('/api/auth/signup', { ...account, organization: 'Compose' });
  await upload('first.json');
  say(`imported: ${await idle(1)}`);

  compose('exec', '-T', 'backup', 'node', 'packages/cli/src/main.ts', 'backup', backupFile);
  const backup = backupSize();
  say(`backup written: ${backup} bytes`);

  const killed = Date.now();
  await Promise.all(['second.json', 'third.json', 'fourth.json'].map(upload));
  run('docker', 'kill', containersOf('worker')[0] ?? '');
  run('docker', 'kill', containersOf('redis')[0] ?? '');
  await delay(2000);
  compose('up', '--detach', '--no-build', '--scale', 'worker=4');
  const before = await idle(4);
  say(`imported with a killed worker and a killed Redis: ${before}`);
  say(`all jobs ended ${Math.round((Date.now() - killed) / 1000)} s after the uploads began`);
  say(run('docker', 'stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}'));

  run('docker', 'rm', '--force', `${project}-api2`);
  compose('down');
  compose('up', '--detach', '--no-build', '--scale', 'worker=4');
  await ready();
  cookie = '';
  await post('/api/auth/login', { email: account.email, password: account.password });
  const after = await idle(4);
  if (after !== before) throw new Error(`After down and up: ${after}`);
  if (backupSize() !== backup) throw new Error('The backup is no longer there.');
  say(`down, up, data and backup still there: ${after}`);
}

if (!answers('docker', 'version')) say('Skipped: no container engine answers.');
else {
  try {
    await journey();
  } finally {
    answers('docker', 'rm', '--force', `${project}-api2`);
    compose('down', '--volumes');
  }
}
