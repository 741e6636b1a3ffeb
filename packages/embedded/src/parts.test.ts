import { Environment, readEnvironment } from '@riskboard/contract/environment';
import { expect, it } from 'vitest';
import { toVariables } from './parts.ts';

it('toVariables keeps the value of every variable of the product', () => {
  const secret = 'x'.repeat(32);
  const environment = readEnvironment({
    HOST: '::1',
    PORT: '8080',
    DATABASE_URL: 'postgres://user:password@db:5432/riskboard',
    REDIS_URL: 'redis://redis:6379',
    APP_ORIGIN: 'https://risk.example.org',
    SESSION_SECRET: secret,
    SESSION_SECRET_PREVIOUS: secret.toUpperCase(),
    TRUSTED_PROXIES: 'loopback,10.0.0.0/8,2001:db8::/32',
    MAIL_FROM: 'Risk <risk@example.org>',
    SMTP_URL: 'smtps://user:password@mail.example.org:465',
  });
  expect(Object.keys(toVariables(environment)).toSorted()).toEqual(Object.keys(Environment.shape).toSorted());
  expect(readEnvironment(toVariables(environment))).toEqual(environment);
});
