import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProducer } from '@riskboard/queue';
import { createTestDatabase, testRedisUrl } from '@riskboard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { requestMail, makeAccount, tokenOf } from './testing/mail-fixtures.ts';
import { type ReadMail, readMail } from './testing/read-mail.ts';
import { startSmtpServer } from './testing/smtp-server.ts';
import { openHarnessDatabase, type HarnessDatabase } from './testing/test-harness.ts';

const redis = await testRedisUrl();

let harness: HarnessDatabase;
let folder: string;
let child: ChildProcess;
let log: string;
/** The exit code that the test expects. */
let exit: number;
beforeAll(async () => {
  harness = await openHarnessDatabase();
  await makeAccount(harness.database, { email: 'ada@example.org' });
});
afterAll(() => harness.close());
beforeEach(async () => {
  exit = 0;
  folder = await mkdtemp(join(tmpdir(), 'riskboard-worker-'));
  await requestMail(harness.database, { kind: 'password-reset', email: 'ada@example.org' });
});
afterEach(async () => {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  await rm(folder, { recursive: true });
  if (child.exitCode !== exit) throw new Error(`The worker exited with ${child.exitCode}:\n${log}`);
});

/** Starts a worker process with these environment variables. */
function start(env: Record<string, string>): void {
  child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: harness.test.url,
      SESSION_SECRET: 'required, but not used by a worker',
      DATA_DIR: folder,
      ...env,
    },
  });
  log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
}

async function inOutbox(): Promise<ReadMail[]> {
  const names = await readdir(join(folder, 'outbox')).catch(() => []);
  const mails = names.filter((name) => name.endsWith('.eml'));
  return Promise.all(
    mails.map(async (name) => readMail(await readFile(join(folder, 'outbox', name), 'utf8'))),
  );
}

it('the worker writes mails to the data folder, with links to its port, and logs no token', async () => {
  start({ PORT: '4321' });
  await expect.poll(inOutbox).toHaveLength(1);
  const [mail] = await inOutbox();
  expect(mail?.headers).toMatchObject({ to: 'ada@example.org', from: 'Riskboard <riskboard@localhost>' });
  expect(mail?.link).toMatch(/^http:\/\/localhost:4321\/reset-password\?token=[\w-]{43}$/);
  await expect.poll(() => log).toContain('SMTP_URL is not set: mail written to');
  expect(log).toContain(join(folder, 'outbox'));
  expect(log).not.toContain(tokenOf(mail?.link ?? ''));
});

it('the worker sends mails to an SMTP server, with the configured sender and links to the configured origin', async () => {
  const server = await startSmtpServer();
  start({
    SMTP_URL: server.url,
    APP_ORIGIN: 'https://risk.example.org/',
    MAIL_FROM: 'Cyber desk <desk@example.org>',
  });
  await expect.poll(() => server.received).toHaveLength(1);
  const mail = readMail(server.received[0]?.raw ?? '');
  expect(mail.headers['from']).toBe('Cyber desk <desk@example.org>');
  expect(mail.link).toMatch(/^https:\/\/risk\.example\.org\/reset-password\?token=/);
  await expect.poll(() => log).toContain('mail sent');
  expect(log).not.toContain(tokenOf(mail.link));
  expect(await inOutbox()).toEqual([]);
  await server.close();
});

it.skipIf(redis.url === null)('the worker uses the queue of its REDIS_PREFIX only', async () => {
  if (redis.url === null) return;
  const { url, prefix } = redis;
  start({ REDIS_URL: url, REDIS_PREFIX: prefix });
  const open = (name: string) =>
    openProducer({
      redisUrl: url,
      databaseUrl: harness.test.url,
      prefix: name,
      lockMs: 10_000,
      stallMs: 5000,
    });
  const [own, foreign] = [open(prefix), open(`${prefix}-other`)];
  await expect.poll(() => own.workers().catch(() => 0)).toBe(1);
  expect(await foreign.workers()).toBe(0);
  await Promise.all([own.close(), foreign.close()]);
});

it('the worker ends with one line when it cannot write its heartbeat file', async () => {
  exit = 78;
  const file = join(folder, 'absent', 'heartbeat');
  start({ WORKER_HEARTBEAT_FILE: file });
  await once(child, 'exit');
  await expect
    .poll(() => log)
    .toBe(
      `Configuration: WORKER_HEARTBEAT_FILE ${file} is not writable (ENOENT): create its folder, change its owner, or set another file\n`,
    );
});

it('the worker ends with one line when its addresses lead to different databases', async () => {
  exit = 78;
  const other = await createTestDatabase();
  onTestFinished(() => other.drop());
  start({ DATABASE_SYSTEM_URL: other.url });
  await once(child, 'exit');
  await expect
    .poll(() => log)
    .toMatch(/^Configuration: DATABASE_SYSTEM_URL leads to the database \w+, but DATABASE_URL to .*\n$/u);
});

it('the worker ends with one line when PostgreSQL refuses its logins, and does not say that it waits', async () => {
  exit = 78;
  const absent = new URL(harness.test.url);
  absent.pathname = '/absent';
  start({ DATABASE_URL: absent.href, DATABASE_SYSTEM_URL: absent.href });
  await once(child, 'exit');
  await expect
    .poll(() => log)
    .toMatch(/^Configuration: PostgreSQL refuses the login of DATABASE_URL or DATABASE_SYSTEM_URL: .*\n$/u);
});
