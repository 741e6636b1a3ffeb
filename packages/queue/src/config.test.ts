import { expect, it } from 'vitest';
import { queueConfig } from './config.ts';

const env = {
  DATABASE_URL: 'postgres://app@db/riskboard',
  REDIS_PREFIX: 'riskboard',
  WORKER_LOCK_MS: 10_000,
  WORKER_STALL_MS: 5000,
};

it('the queue is on PostgreSQL without REDIS_URL, with the login and the role of the system where there is one', () => {
  const limits = { lockMs: 10_000, stallMs: 5000 };
  expect(queueConfig(env, 'the_system')).toEqual({ databaseUrl: env.DATABASE_URL, ...limits });
  const DATABASE_SYSTEM_URL = 'postgres://system@db/riskboard';
  expect(queueConfig({ ...env, DATABASE_SYSTEM_URL }, 'the_system')).toEqual({
    databaseUrl: DATABASE_SYSTEM_URL,
    databaseRole: 'the_system',
    ...limits,
  });
});

it('the queue is on Redis with REDIS_URL, under the prefix', () => {
  const REDIS_URL = 'redis://redis:6379';
  expect(queueConfig({ ...env, REDIS_URL }, 'the_system')).toMatchObject({
    redisUrl: REDIS_URL,
    prefix: 'riskboard',
  });
});
