import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openProducer } from './producer.ts';
import { readRedisState, redisProblem } from './redis-state.ts';
import { suiteOptions } from './testing/backends.ts';
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
    expect(await redisProblem(server.url)).toBeUndefined();
    const admin = new Redis(server.url);
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    admin.disconnect();
    expect(await redisProblem(server.url)).toBe(
      'must be a Redis that evicts nothing: its maxmemory-policy is allkeys-lru, set it to noeviction',
    );
  });
});

describe.skipIf(!hasRedisServer)('the address of a Redis', suiteOptions, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
    const admin = new Redis(server.url);
    await admin.call('ACL', 'SETUSER', 'ada', 'on', '>right', '~*', '&*', '+@all');
    await admin.call('ACL', 'SETUSER', 'default', '>another');
    admin.disconnect();
  });
  afterAll(() => server.end());
  const address = (login: string, database = ''): string =>
    `${server.url.replace('redis://', `redis://${login}`)}/${database}`;

  it.each([
    ['without a password', '', '', 'NOAUTH '],
    ['with a wrong password', 'ada:wrong@', '', 'WRONGPASS '],
    ['with an unknown user', 'bob:right@', '', 'WRONGPASS '],
    ['with a database number that it does not have', 'ada:right@', '99', 'ERR DB index is out of range'],
  ])('%s is refused with the reason', async (_case, login, database, reason) => {
    expect(await redisProblem(address(login, database))).toContain(
      `must have a user, a password and a database number that Redis accepts: ${reason}`,
    );
  });

  it('is the reason why a ping of the queue fails', async () => {
    const producer = openProducer({
      redisUrl: address('ada:wrong@'),
      databaseUrl: 'postgres://nowhere',
      lockMs: 3000,
      stallMs: 1000,
    });
    onTestFinished(() => producer.close());
    await vi.waitFor(() => expect(producer.ping()).rejects.toThrow(/^WRONGPASS /u));
  });

  it('with a right password is accepted, also with the number of a database', async () => {
    expect(await redisProblem(address('ada:right@'))).toBeUndefined();
    expect(await redisProblem(address('ada:right@', '15'))).toBeUndefined();
  });
});

it('a Redis that does not answer is no reason to refuse the start', async () => {
  expect(await redisProblem('redis://127.0.0.1:1')).toBeUndefined();
});

it.each([' redis://ada:hunter2@host:6379', 'redis://:ab%zz@host'])(
  'an address that the client cannot read is refused without its value: %j',
  async (url) => {
    expect(await redisProblem(url)).toBe('must be a Redis address such as redis://user:password@host:6379');
  },
);
