import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRedisState, redisPolicyProblem } from './redis-state.ts';
import { suiteOptions } from './test/backends.ts';
import { hasRedisServer, startRedisServer, type RedisServer } from '@riskboard/testing';

describe.skipIf(!hasRedisServer)('a Redis', suiteOptions, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.end());

  it('reports version, persistence and clock', async () => {
    const state = await readRedisState(server.url);
    expect(state).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+/u), isPersistent: true });
    expect(Math.abs(state.now - Date.now())).toBeLessThan(60_000);
  });

  it('is accepted only when it evicts nothing', async () => {
    expect(await redisPolicyProblem(server.url)).toBeUndefined();
    const admin = new Redis(server.url);
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    admin.disconnect();
    expect(await redisPolicyProblem(server.url)).toBe(
      'must be a Redis that evicts nothing: its maxmemory-policy is allkeys-lru, set it to noeviction',
    );
  });
});

it('a Redis that does not answer is no reason to refuse the start', async () => {
  expect(await redisPolicyProblem('redis://127.0.0.1:1')).toBeUndefined();
});
