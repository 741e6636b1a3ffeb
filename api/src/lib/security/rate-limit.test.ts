import type { ErrorReply } from '@riskboard/contract';
import { testRedisUrl } from '@riskboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bySession,
  insertToken,
  makeMember,
  makeOrganization,
  withToken,
} from '../../testing/accounts/member.ts';
import { type Answer, freshAddress } from '../../testing/person.ts';
import { origin, startApi, type TestApi } from '../../testing/start-api.ts';

const redis = await testRedisUrl();
/** Sign-ups and second factors a minute, by the contract's table. */
const limit = 20;
const half = limit / 2;

/** A sign-up from this address that is refused. */
const signUpFrom = (api: TestApi, remoteAddress: string): Promise<Answer> =>
  api.app.inject({
    method: 'POST',
    url: '/api/auth/signup',
    remoteAddress,
    headers: { origin },
    body: { email: 'nobody' },
  });

async function statuses(calls: (() => Promise<Answer>)[]): Promise<number[]> {
  const seen: number[] = [];
  for (const call of calls) seen.push((await call()).statusCode);
  return seen;
}

const times = <T>(count: number, what: T): T[] => Array.from({ length: count }, () => what);

describe('a rate limit', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  it('refuses one address with 429 and Retry-After, and no other address', async () => {
    const address = freshAddress();
    const call = () => signUpFrom(api, address);
    expect(await statuses(times(limit, call))).toEqual(times(limit, 422));
    const refused = await call();
    expect(refused.statusCode).toBe(429);
    expect(refused.json<ErrorReply>()).toMatchObject({ code: 'too_many', error: 'Too Many Requests' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await signUpFrom(api, freshAddress())).statusCode).toBe(422);
  });

  it('of one endpoint does not count calls of another', async () => {
    const remoteAddress = freshAddress();
    await statuses(times(limit + 1, () => signUpFrom(api, remoteAddress)));
    const headers = { origin };
    const body = { token: 'none' };
    const url = '/api/auth/invitation';
    expect((await api.app.inject({ method: 'POST', url, remoteAddress, headers, body })).statusCode).toBe(
      404,
    );
  });

  it('counts unknown URLs together with known ones', async () => {
    const remoteAddress = freshAddress();
    const left = async (url: string) =>
      Number((await api.app.inject({ method: 'GET', url, remoteAddress })).headers['x-ratelimit-remaining']);
    const before = await left('/api/cwe/CWE-79');
    const paths = ['/api/nothing', '/nothing.js', '/dashboard', '/api/cwe/CWE-79'];
    const remaining: number[] = [];
    for (const path of paths) remaining.push(await left(path));
    expect(remaining).toEqual(paths.map((_path, n) => before - n - 1));
  });

  it('counts an IPv6 network as one caller', async () => {
    const from = (host: number) => () => signUpFrom(api, `2001:db8:7:7::${host}`);
    const calls = Array.from({ length: limit + 1 }, (_, host) => from(host + 1));
    expect(await statuses(calls)).toEqual([...times(limit, 422), 429]);
    expect((await signUpFrom(api, '2001:db8:7:8::1')).statusCode).toBe(422);
  });

  it('counts a signed-in caller by session and token, from any address', async () => {
    const member = await makeMember(api, await makeOrganization(api), 'owner');
    const [one, two] = [await bySession(api, member), await bySession(api, member)];
    const { headers: byScript } = withToken(await insertToken(api, member, { role: 'viewer' }));
    const remoteAddress = freshAddress();
    const left = async (headers: Record<string, string>, from = remoteAddress, url = '/api/jobs') =>
      Number((await api.app.inject({ url, remoteAddress: from, headers })).headers['x-ratelimit-remaining']);
    const [full, anonymous] = [await left(one.headers), await left({})];
    expect(await left(one.headers, freshAddress())).toBe(full - 1);
    expect(await left(two.headers)).toBe(full);
    expect(await left({ cookie: 'rb_session=forged' })).toBe(anonymous - 1);
    // A token is known after its first call.
    expect(await left(byScript)).toBe(anonymous - 2);
    expect(await left(byScript)).toBe(full);
    expect(await left(byScript, freshAddress())).toBe(full - 1);
    expect(await left({})).toBe(anonymous - 3);
  });

  it('counts public endpoints by address, even those of a signed-in caller', async () => {
    const remoteAddress = freshAddress();
    const member = await makeMember(api, await makeOrganization(api), 'owner');
    const call = async () => {
      const { headers } = await bySession(api, member);
      const request = { method: 'POST' as const, url: '/api/auth/signup', remoteAddress, headers };
      return api.app.inject({ ...request, body: { email: 'nobody' } });
    };
    expect(await statuses(times(limit + 1, call))).toEqual([...times(limit, 422), 429]);
  });

  it('of calls is 3,000 a minute, and of handshakes of live connections 240, which are counted separately', async () => {
    const { headers } = await bySession(api, await makeMember(api, await makeOrganization(api), 'owner'));
    const header = async (name: 'limit' | 'remaining', url: string) =>
      Number((await api.app.inject({ url, headers })).headers[`x-ratelimit-${name}`]);
    const left = (url: string) => header('remaining', url);
    expect(await header('limit', '/api/jobs')).toBe(3000);
    expect(await header('limit', '/api/events')).toBe(240);
    const before = await left('/api/jobs');
    const handshakes = [await left('/api/events'), await left('/api/events')];
    expect(handshakes[1]).toBe((handshakes[0] ?? 0) - 1);
    expect(handshakes[0]).not.toBe(before - 1);
    expect(await left('/api/jobs')).toBe(before - 1);
  });

  it('counts refused callers too', async () => {
    const remoteAddress = freshAddress();
    const call = () =>
      api.app.inject({ method: 'POST', url: '/api/auth/password', remoteAddress, headers: { origin } });
    expect(await statuses(times(limit + 1, call))).toEqual([...times(limit, 401), 429]);
  });
});

describe.skipIf(redis.url === null)('two processes on one Redis', () => {
  let one: TestApi;
  let other: TestApi;
  /** With another prefix. */
  let foreign: TestApi;
  beforeAll(async () => {
    if (redis.url === null) return;
    one = await startApi({ redis });
    other = await startApi({ redis }, { with: one });
    foreign = await startApi({ redis: { ...redis, prefix: `${redis.prefix}-other` } }, { with: one });
  });
  afterAll(async () => {
    await foreign.close();
    await other.close();
    await one.close();
  });

  it('count calls together', async () => {
    const address = freshAddress();
    const here = () => signUpFrom(one, address);
    const there = () => signUpFrom(other, address);
    expect(await statuses([...times(half, here), ...times(half, there)])).toEqual(times(limit, 422));
    expect(await statuses([here, there])).toEqual([429, 429]);
    expect((await signUpFrom(other, freshAddress())).statusCode).toBe(422);
  });

  it('of installations with different prefixes count calls apart', async () => {
    const address = freshAddress();
    expect(await statuses(times(limit, () => signUpFrom(one, address)))).toEqual(times(limit, 422));
    expect((await signUpFrom(one, address)).statusCode).toBe(429);
    expect((await signUpFrom(foreign, address)).statusCode).toBe(422);
  });

  it('count calls by endpoint together', async () => {
    const { headers } = await bySession(one, await makeMember(one, await makeOrganization(one), 'owner'));
    const remoteAddress = freshAddress();
    const ask = (api: TestApi, url: string) => () =>
      api.app.inject({ method: 'POST', url, remoteAddress, headers, body: {} });
    const begin = '/api/auth/second-factor/begin';
    const calls = [...times(half, ask(one, begin)), ...times(half, ask(other, begin))];
    expect(await statuses([...calls, ask(other, begin)])).toEqual([...times(limit, 422), 429]);
    expect(await statuses([ask(other, '/api/auth/second-factor/confirm')])).toEqual([422]);
  });
});
