import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '@riskboard/contract/environment';
import { databaseRoles, ensureLogin } from '@riskboard/db';
import { prepareQueue } from '@riskboard/queue';
import { createTestDatabase, hasRedisServer, startRedisServer, type TestDatabase } from '@riskboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkDatabase, judgeRelease } from './check-database.ts';
import { checkDisk, checkNode, checkWeb, judgeClock, judgeDisk } from './check-host.ts';
import { checkRedis, judgeRedis } from './check-redis.ts';
import { asText, databaseFindings } from './doctor.ts';
import type { Finding } from './finding.ts';

const stateOf = (findings: readonly Finding[], check: string) =>
  findings.find((finding) => finding.check === check)?.state;
const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);
const gib = 1024 ** 3;

describe('the database', () => {
  let test: TestDatabase;
  let admin: pg.Client;
  beforeAll(async () => {
    test = await createTestDatabase();
    admin = new pg.Client({ connectionString: test.adminUrl });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await test.drop();
  });
  const check = () => checkDatabase({ ownerUrl: test.url, hasQueue: true });

  it('of this version passes every check', async () => {
    const findings = await check();
    expect(findings.map(({ check: name, state }) => [name, state])).toEqual(
      [
        'postgresql version',
        'encoding',
        'clock of postgresql',
        'migrations',
        'extensions',
        'roles',
        'privileges',
      ].map((name) => [name, 'ok']),
    );
  });

  it('of an api without DATABASE_OWNER_URL, whose logins own nothing, passes every check once no other database uses them', async () => {
    const suffix = randomBytes(4).toString('hex');
    const login = (name: string): string => {
      const url = new URL(test.url);
      [url.username, url.password] = [`${name}_${suffix}`, suffix];
      return url.href;
    };
    const [appUrl, systemUrl] = [login('doctor_app'), login('doctor_system')];
    await ensureLogin(test.adminUrl, appUrl, databaseRoles.app);
    await ensureLogin(test.adminUrl, systemUrl, databaseRoles.system);
    const other = await createTestDatabase();
    await ensureLogin(other.adminUrl, systemUrl, databaseRoles.system);
    const shared = await checkDatabase({ ownerUrl: test.url, appUrl, systemUrl, hasQueue: true });
    await other.drop();
    const environment = readEnvironment({
      DATABASE_URL: appUrl,
      DATABASE_SYSTEM_URL: systemUrl,
      SESSION_SECRET: 'abcdefgh'.repeat(4),
    });
    const withoutQueue = await databaseFindings(environment);
    await prepareQueue({ databaseUrl: test.url, lockMs: 0, stallMs: 0 }, databaseRoles.system);
    const findings = await databaseFindings(environment);
    const logins = `doctor_app_${suffix}, doctor_system_${suffix}`;
    await admin.query(`drop owned by ${logins}; drop role ${logins}`);
    expect(withoutQueue.filter(({ state }) => state !== 'ok')).toMatchObject([
      {
        check: 'queue',
        state: 'failed',
        message: 'riskboard_system may not use its tables, or there are none',
      },
    ]);
    expect(shared.filter(({ state }) => state !== 'ok')).toMatchObject([
      { check: 'queue' },
      {
        check: 'logins',
        state: 'warning',
        message: `also used on this server: doctor_system_${suffix} by the database ${nameOf(other)}`,
      },
    ]);
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(stateOf(findings, 'migrations')).toBe('ok');
  });

  it('fails for privileges that a restore with other tools has lost, and says what to do', async () => {
    await admin.query('revoke select on account from riskboard_system');
    const findings = await check();
    await admin.query('grant select on account to riskboard_system');
    expect(findings.find((finding) => finding.check === 'privileges')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('permission denied'),
      remedy: expect.stringContaining('run the migration'),
    });
  });

  it('fails for a migration that is pending, with its name', async () => {
    await admin.query(`delete from kysely_migration where name = '0034-report-schedules'`);
    const findings = await check();
    expect(findings).toMatchObject([{ check: 'migrations', state: 'failed' }]);
    expect(findings[0]?.message).toContain('0034-report-schedules');
  });

  it('fails for an address of another database, with the name of its variable', async () => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    const findings = await checkDatabase({ ownerUrl: test.url, systemUrl: other.url, hasQueue: true });
    expect(findings).toMatchObject([
      {
        check: 'postgresql',
        state: 'failed',
        message: expect.stringMatching(/DATABASE_SYSTEM_URL leads to the database \w+, but DATABASE_URL to/u),
      },
    ]);
  });

  it('fails without an answer, without the password of its address', async () => {
    const findings = await checkDatabase({
      ownerUrl: 'postgres://ada:hunter2@127.0.0.1:1/none',
      hasQueue: true,
    });
    expect(findings).toMatchObject([{ check: 'postgresql', state: 'failed' }]);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });
});

it.each([
  [140_012, 'failed'],
  [150_000, 'ok'],
  [180_004, 'ok'],
  [190_000, 'warning'],
] as const)('PostgreSQL %i is %s', (version, state) => {
  expect(judgeRelease(version).state).toBe(state);
});

it.each([
  ['20.19.0', 'failed'],
  ['24.21.0', 'ok'],
] as const)('Node %s is %s', (version, state) => {
  expect(checkNode(version).state).toBe(state);
});

it.each([
  [100 * 1024 ** 2, 'failed'],
  [gib / 2, 'warning'],
  [4 * gib, 'warning'],
  [50 * gib, 'ok'],
] as const)('%i free bytes of 100 GiB are %s', (free, state) => {
  expect(judgeDisk('/data', { free, size: 100 * gib }).state).toBe(state);
});

it('a web that is not built is a warning that says how to build it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'riskboard-web-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(checkWeb(folder)).toMatchObject({
    check: 'web',
    state: 'warning',
    remedy: expect.stringContaining('pnpm run build'),
  });
  await writeFile(join(folder, 'index.html'), '');
  expect(checkWeb(folder).state).toBe('ok');
});

it('a data folder that does not exist fails', async () => {
  expect(await checkDisk('/nothing/at/all')).toMatchObject({ check: 'disk', state: 'failed' });
});

it.each([
  [500, 'ok'],
  [-30_000, 'warning'],
  [3_600_000, 'failed'],
] as const)('a clock that differs by %i ms is %s', (offset, state) => {
  expect(judgeClock('redis', offset).state).toBe(state);
});

it('a Redis that evicts keys fails, and one without persistence is a warning', () => {
  const findings = judgeRedis({ version: '7.0.15', policy: 'allkeys-lru', isPersistent: false, now: 0 }, 0);
  expect(stateOf(findings, 'redis version')).toBe('ok');
  expect(stateOf(findings, 'redis policy')).toBe('failed');
  expect(stateOf(findings, 'redis persistence')).toBe('warning');
});

it('a Redis without an answer fails', async () => {
  expect(await checkRedis('redis://127.0.0.1:1')).toMatchObject([{ check: 'redis', state: 'failed' }]);
});

it.skipIf(!hasRedisServer)(
  'a Redis that refuses the login fails, and REDIS_URL is to be corrected',
  async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.end());
    expect(await checkRedis(server.url.replace('redis://', 'redis://ada:wrong@'))).toMatchObject([
      {
        check: 'redis',
        state: 'failed',
        message: expect.stringMatching(/^refuses the address: WRONGPASS /u),
        remedy: 'Correct the user, the password or the database number in REDIS_URL.',
      },
    ]);
  },
);

it('prints one line for each check and, below it, what to do', () => {
  expect(
    asText([
      { check: 'node', state: 'ok', message: 'version 24' },
      { check: 'disk', state: 'failed', message: 'full', remedy: 'Free space.' },
    ]),
  ).toBe('ok       node: version 24\nfailed   disk: full\n         Free space.\n');
});
