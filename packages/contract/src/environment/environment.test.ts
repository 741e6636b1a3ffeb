import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Environment, ownOrigins, publicOrigin, readEnvironment } from './environment.ts';

const run = promisify(execFile);
const secret = 'abcdefgh'.repeat(4);

describe('the environment', () => {
  it('has every default of the contract', () => {
    expect(readEnvironment({})).toEqual({
      HOST: '127.0.0.1',
      PORT: 3000,
      DATA_DIR: './.data',
      REDIS_PREFIX: 'riskboard',
      WORKERS: 1,
      WORKER_CONCURRENCY: 2,
      WORKER_LOCK_MS: 10_000,
      WORKER_STALL_MS: 5000,
      DEMO: '1',
      TRUSTED_PROXIES: [],
      MAIL_FROM: 'Riskboard <riskboard@localhost>',
      SIGNUP: 'open',
      CWE_API_URL: 'https://cwe-api.mitre.org/api/v1',
      WEBHOOK_ALLOW_PRIVATE: '0',
      BATCH_RETENTION_DAYS: 90,
      UPLOAD_MAX_BYTES: 256 * 1024 * 1024,
      BACKUP_AT: '02:30',
      BACKUP_KEEP: 7,
      LOG_LEVEL: 'info',
    });
  });

  it('treats an empty variable as not set, except CWE_API_URL, which it disables', () => {
    const empty = Object.fromEntries(Object.keys(readEnvironment({})).map((name) => [name, '']));
    expect(readEnvironment({ ...empty, DATABASE_URL: '', REDIS_URL: '', SESSION_SECRET: '' })).toEqual({
      ...readEnvironment({}),
      CWE_API_URL: '',
    });
  });

  it.each([
    ['PORT', '0', 'must be a whole number from 1 to 65535'],
    ['PORT', '3000.5', 'must be a whole number from 1 to 65535'],
    ...['1e3', '0x10', '+80', '8_0', '80 81', 'http'].map((value) => [
      'PORT',
      value,
      'must be a whole number from 1 to 65535',
    ]),
    [
      'DATABASE_URL',
      'mysql://host/x',
      'must be a PostgreSQL address such as postgres://user:password@host:5432/name',
    ],
    [
      'DATABASE_URL',
      'localhost',
      'must be a PostgreSQL address such as postgres://user:password@host:5432/name',
    ],
    ...['postgres://', 'postgres:///riskboard', 'postgresql:riskboard'].map((value) => [
      'DATABASE_URL',
      value,
      'must be a PostgreSQL address such as postgres://user:password@host:5432/name',
    ]),
    ...['a:b', 'a b', '{riskboard}', 'x'.repeat(41)].map((value) => [
      'REDIS_PREFIX',
      value,
      'must be 1 to 40 letters, digits, - and _',
    ]),
    ...['redis://', 'http://host', 'redis://host/x', 'redis://host/1x', 'redis://host/1/2'].map((value) => [
      'REDIS_URL',
      value,
      'must be a Redis address such as redis://host:6379 or redis://host:6379/1',
    ]),
    ...['redis://:ab%zz@host', 'redis://100%:x@host'].map((value) => [
      'REDIS_URL',
      value,
      'must have a user and a password in which % is written as %25',
    ]),
    [
      'DATABASE_URL',
      'postgres://ada:50%@host/x',
      'must have a user and a password in which % is written as %25',
    ],
    ['DATABASE_SYSTEM_URL', 'postgres://db/x', 'requires DATABASE_URL, the login that serves requests'],
    [
      'APP_ORIGIN',
      'risk.example.org',
      'must be an origin such as https://risk.example.org, without a path, query or user',
    ],
    ...['/riskboard', '/?', '/?a=b', '/#', '#top', '//'].map((rest) => [
      'APP_ORIGIN',
      `https://risk.example.org${rest}`,
      'must be an origin such as https://risk.example.org, without a path, query or user',
    ]),
    ...['ada@', 'ada:secret@', '@'].map((user) => [
      'APP_ORIGIN',
      `https://${user}risk.example.org`,
      'must be an origin such as https://risk.example.org, without a path, query or user',
    ]),
    ['SESSION_SECRET', 'short', 'must have at least 32 characters'],
    ['SESSION_SECRET_PREVIOUS', 'short', 'must have at least 32 characters'],
    ...['SESSION_SECRET', 'WEBHOOK_KEY'].flatMap((name) => [
      [name, ' '.repeat(40), 'must have at least 32 characters without the blanks around it'],
      [name, `short${' '.repeat(40)}`, 'must have at least 32 characters without the blanks around it'],
      [name, 'x'.repeat(40), 'must not be one repeated character'],
      [name, ` ${'x'.repeat(40)} `, 'must not be one repeated character'],
    ]),
    ...['nginx', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.1/8/8', 'loopback,', '*'].map((value) => [
      'TRUSTED_PROXIES',
      value,
      'must be addresses or networks separated by commas, such as loopback,10.0.0.0/8',
    ]),
    ...['2:30', '24:00', '02:60', 'daily'].map((value) => [
      'BACKUP_AT',
      value,
      'must be a time of day in UTC such as 02:30',
    ]),
    ['BACKUP_KEEP', '0', 'must be a whole number from 1 to 3650'],
    ['BATCH_RETENTION_DAYS', '0', 'must be a whole number from 1 to 3650'],
    ['SIGNUP', 'closed', 'must be open or invite'],
    ['METRICS_TOKEN', 'short', 'must have at least 32 characters, without spaces'],
    ['METRICS_TOKEN', `${secret} `, 'must have at least 32 characters, without spaces'],
    ['DEMO', 'yes', 'must be 1 or 0'],
    ['WORKERS', '-1', 'must be a whole number from 0 to 64'],
    ['CWE_API_URL', 'ftp://cwe.example.org', 'must be a web address, or empty to turn it off'],
    ['UPLOAD_MAX_BYTES', '1GB', 'must be a whole number from 1024 to 4294967296'],
  ])('refuses %s=%s: %s', (name, value, message) => {
    const { error } = Environment.safeParse({ SESSION_SECRET: secret, [name]: value });
    expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[name, message]]);
  });

  it('accepts a secret of repeated words, and a weak one as the previous secret, so that it can be replaced', () => {
    const secrets = { SESSION_SECRET: 'bench'.repeat(8), SESSION_SECRET_PREVIOUS: 'x'.repeat(32) };
    expect(readEnvironment(secrets)).toMatchObject(secrets);
  });

  it.each([
    'https://risk.example.org',
    'https://risk.example.org/',
    'http://127.0.0.1:8080',
    'http://[::1]:3000/',
  ])('accepts the origin %s', (APP_ORIGIN) => {
    expect(readEnvironment({ APP_ORIGIN }).APP_ORIGIN).toBe(APP_ORIGIN);
  });

  it('accepts proxies as addresses and networks, of IPv4 and IPv6', () => {
    const { TRUSTED_PROXIES } = readEnvironment({
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,192.0.2.7,2001:db8::/32',
    });
    expect(TRUSTED_PROXIES).toEqual(['loopback', '10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
  });

  it.each([
    'postgres://riskboard:x@127.0.0.1:5433/riskboard?host=%2Fsrv%2Fdata%2Fpostgres',
    'postgres:///riskboard?host=/var/run/postgresql',
    'postgres://riskboard@%2Fvar%2Frun%2Fpostgresql/riskboard',
  ])('accepts the UNIX socket %s', (DATABASE_URL) => {
    expect(readEnvironment({ DATABASE_URL, SESSION_SECRET: secret }).DATABASE_URL).toBe(DATABASE_URL);
  });

  it.each(['redis://host', 'redis://host:6379/', 'rediss://ada:a%2Fb@host/15', 'redis://[::1]/1?family=6'])(
    'accepts the Redis %s',
    (REDIS_URL) => {
      expect(readEnvironment({ REDIS_URL }).REDIS_URL).toBe(REDIS_URL);
    },
  );

  it('treats blanks as not set in every variable but secrets', () => {
    const secrets = new Set(['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS', 'WEBHOOK_KEY', 'METRICS_TOKEN']);
    const names = Object.keys(Environment.shape).filter((name) => !secrets.has(name));
    const blank = Object.fromEntries(names.map((name) => [name, ' ']));
    expect(readEnvironment(blank)).toEqual({ ...readEnvironment({}), CWE_API_URL: '' });
  });

  it('ignores blanks around a value, as files of variables keep them', () => {
    const values = {
      HOST: '127.0.0.1',
      DATA_DIR: '/srv/data',
      BACKUP_DIR: '/srv/backups',
      WORKER_HEARTBEAT_FILE: '/tmp/heartbeat',
      DATABASE_URL: 'postgres://ada:a%25b@db/x',
      REDIS_URL: 'redis://ada:hunter2@host:6379',
      SMTP_URL: 'smtps://ada:a@host:465',
      APP_ORIGIN: 'https://risk.example.org',
      CWE_API_URL: 'https://cwe.example.org',
      SIGNUP: 'invite',
    };
    const padded = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, ` ${value} `]));
    expect(readEnvironment({ ...padded, PORT: ' 8080 ', SESSION_SECRET: secret })).toMatchObject({
      ...values,
      PORT: 8080,
    });
  });

  it('requires METRICS_TOKEN when workers serve metrics', () => {
    const { error } = Environment.safeParse({ WORKER_METRICS_PORT: '9464' });
    expect(error?.issues.map(({ path }) => path)).toEqual([['METRICS_TOKEN']]);
    const withPort = (WORKER_METRICS_PORT: string) =>
      Environment.safeParse({ WORKER_METRICS_PORT, METRICS_TOKEN: secret });
    expect(withPort('9464').success).toBe(true);
    expect(withPort('http').error?.issues.map(({ message }) => message)).toEqual([
      'must be a whole number from 1 to 65535',
    ]);
  });

  it.each([
    [{ WORKERS: '2', WORKER_METRICS_PORT: '65535' }, ['WORKER_METRICS_PORT']],
    [{ WORKERS: '2', WORKER_METRICS_PORT: '65534' }, []],
    [{ WORKERS: '2', WORKER_METRICS_PORT: '2999' }, ['PORT']],
    [{ WORKERS: '2', WORKER_METRICS_PORT: '2998' }, []],
    [{ WORKERS: '2', WORKER_METRICS_PORT: '3001' }, []],
    [{ WORKERS: '0', WORKER_METRICS_PORT: '3000' }, []],
  ])('each worker has a port of its own: %j', (ports, problems) => {
    const { error } = Environment.safeParse({ METRICS_TOKEN: secret, ...ports });
    expect(error?.issues.map(({ path }) => path.join('.')) ?? []).toEqual(problems);
  });

  it('requires SESSION_SECRET when DATABASE_URL is set', () => {
    const database = { DATABASE_URL: 'postgres://localhost/riskboard' };
    expect(Environment.safeParse(database).error?.issues[0]?.path).toEqual(['SESSION_SECRET']);
    expect(Environment.safeParse({ ...database, SESSION_SECRET: secret }).success).toBe(true);
  });

  it.each(['0.0.0.0', '::', '192.0.2.7', '127.evil.example'])(
    'refuses HOST=%s without APP_ORIGIN, so that plain http on a network is a decision',
    (HOST) => {
      expect(Environment.safeParse({ HOST }).error?.issues.map(({ path }) => path)).toEqual([['APP_ORIGIN']]);
      for (const APP_ORIGIN of ['https://risk.example.org', 'http://192.0.2.7:3000'])
        expect(Environment.safeParse({ HOST, APP_ORIGIN }).success).toBe(true);
    },
  );

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.2'],
    ['::1', '::1'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '0:0:0:0:0:0:0:1'],
    ['localhost', 'localhost'],
    ['LOCALHOST', 'localhost'],
  ])('accepts HOST=%s without APP_ORIGIN, and listens on %s', (HOST, listensOn) => {
    expect(Environment.safeParse({ HOST }).data?.HOST).toBe(listensOn);
  });

  it.each([
    ['127.0.0.1', undefined, 'http://localhost:3001', ['http://localhost:3001', 'http://127.0.0.1:3001']],
    ['localhost', undefined, 'http://localhost:3001', ['http://localhost:3001', 'http://127.0.0.1:3001']],
    ['127.0.0.2', undefined, 'http://127.0.0.2:3001', ['http://127.0.0.2:3001']],
    ['::1', undefined, 'http://[::1]:3001', ['http://[::1]:3001']],
    ['0.0.0.0', undefined, 'http://localhost:3001', ['http://localhost:3001', 'http://127.0.0.1:3001']],
    ['0.0.0.0', 'https://risk.example.org', 'https://risk.example.org', ['https://risk.example.org']],
  ])(
    'with HOST=%s and APP_ORIGIN=%s the address is %s, and its origins %j',
    (HOST, APP_ORIGIN, origin, own) => {
      expect(publicOrigin({ HOST, APP_ORIGIN, PORT: 3001 })).toBe(origin);
      expect(ownOrigins(new URL(origin))).toEqual(own);
    },
  );

  it('with an invalid value ends the process with 78 and one line, without the value', async () => {
    const program = `import { readEnvironment } from ${JSON.stringify(new URL('environment.ts', import.meta.url).href)}; readEnvironment(); console.log('went on');`;
    const started = run(process.execPath, ['--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      env: { ...process.env, PORT: 'http', SESSION_SECRET: 'hunter2' },
    });
    const failure = await started.catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 78,
      stdout: '',
      stderr:
        'Configuration: PORT must be a whole number from 1 to 65535; SESSION_SECRET must have at least 32 characters\n',
    });
  });
});
