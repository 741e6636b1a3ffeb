import { Environment, readEnvironment } from '@riskboard/contract/environment';
import { expect, it } from 'vitest';
import { oneHeap, standardParts, toVariables, variablesOf } from './parts.ts';

it('toVariables keeps the value of every variable of the product', () => {
  const secret = 'abcdefgh'.repeat(4);
  const environment = readEnvironment({
    HOST: '::1',
    PORT: '8080',
    DATABASE_URL: 'postgres://user:password@db:5432/riskboard',
    DATABASE_SYSTEM_URL: 'postgres://system:password@db:5432/riskboard',
    DATABASE_OWNER_URL: 'postgres://owner:password@db:5432/riskboard',
    REDIS_URL: 'redis://redis:6379',
    APP_ORIGIN: 'https://risk.example.org',
    SESSION_SECRET: secret,
    SESSION_SECRET_PREVIOUS: secret.toUpperCase(),
    WEBHOOK_KEY: secret.toLowerCase(),
    WEBHOOK_ALLOW_PRIVATE: '1',
    TRUSTED_PROXIES: 'loopback,10.0.0.0/8,2001:db8::/32',
    MAIL_FROM: 'Risk <risk@example.org>',
    BACKUP_DIR: '/backups',
    METRICS_TOKEN: secret,
    WORKER_METRICS_PORT: '9464',
    WORKER_HEARTBEAT_FILE: '/tmp/worker-alive',
    SMTP_URL: 'smtps://user:password@mail.example.org:465',
  });
  expect(Object.keys(toVariables(environment)).toSorted()).toEqual(Object.keys(Environment.shape).toSorted());
  expect(readEnvironment(toVariables(environment))).toEqual(environment);
});

it('only the api gets the secrets of sessions, and no part the address of the owner, even from the own environment', () => {
  const environment = readEnvironment({ SESSION_SECRET: 'abcdefgh'.repeat(4) });
  const own = {
    PATH: '/bin',
    SESSION_SECRET: 'ijklmnop'.repeat(4),
    SESSION_SECRET_PREVIOUS: 'qrstuvwx'.repeat(4),
    DATABASE_OWNER_URL: 'postgres://owner:password@db/riskboard',
  };
  const given = standardParts({ WORKERS: 2 }).map((part) => {
    const variables = variablesOf(part, environment, own);
    return [
      part.name,
      variables['PATH'],
      Object.keys(variables).filter((name) => /^SESSION|OWNER/u.test(name)),
    ];
  });
  expect(given).toEqual([
    ['api', '/bin', ['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS']],
    ['worker 1', '/bin', []],
    ['worker 2', '/bin', []],
  ]);
});

it('only workers get the password of the mail server', () => {
  const SMTP_URL = 'smtps://user:password@mail.example.org:465';
  const environment = readEnvironment({ SMTP_URL });
  const given = standardParts({ WORKERS: 1 }).map((part) => variablesOf(part, environment, { SMTP_URL }));
  expect(given.map((variables) => variables['SMTP_URL'])).toEqual(['smtps://mail.example.org:465', SMTP_URL]);
});

it('a blank SMTP_URL is no mail server', () => {
  const SMTP_URL = ' ';
  const [api] = standardParts({ WORKERS: 0 });
  expect(variablesOf(api!, readEnvironment({ SMTP_URL }), { SMTP_URL })['SMTP_URL']).toBe(SMTP_URL);
});

it('each worker serves its figures on a port of its own, and none does without WORKER_METRICS_PORT', () => {
  const ports = (port?: number) =>
    standardParts({ WORKERS: 2, WORKER_METRICS_PORT: port }).map(
      ({ environment }) => environment?.['WORKER_METRICS_PORT'],
    );
  expect(ports(9464)).toEqual([undefined, '9464', '9465']);
  expect(ports()).toEqual([undefined, undefined, undefined]);
});

it('api and workers have one heap of the C library', () => {
  for (const { environment } of standardParts({ WORKERS: 2, WORKER_METRICS_PORT: 9464 }))
    expect(environment).toMatchObject(oneHeap);
});
