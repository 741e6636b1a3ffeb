import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshEmail, password } from '../../testing/person.ts';
import { origin, startApi, type TestApi } from '../../testing/start-api.ts';

let standard: TestApi;
let local: TestApi;
let behind: TestApi;
beforeAll(async () => {
  standard = await startApi();
  local = await startApi({ trustedProxies: ['loopback'] }, { with: standard });
  behind = await startApi({ trustedProxies: ['10.1.0.0/16', '2001:db8::/32'] }, { with: standard });
});
afterAll(async () => {
  await behind.close();
  await local.close();
  await standard.close();
});

/** The client address that the product determines: the one stored with the session of a sign-up. */
async function addressOf(api: TestApi, peer: string, forwarded: string): Promise<string> {
  const email = freshEmail();
  const answer = await api.app.inject({
    method: 'POST',
    url: '/api/auth/signup',
    remoteAddress: peer,
    headers: { origin, 'x-forwarded-for': forwarded },
    body: { email, password, firstName: 'Ada' },
  });
  expect(answer.statusCode).toBe(201);
  const { user } = answer.json<{ user: { _id: string } }>();
  const row = await api.database.system
    .selectFrom('session')
    .select('address')
    .where('account_id', '=', user._id)
    .executeTakeFirstOrThrow();
  return row.address;
}

describe('trusted proxies', () => {
  it.each([
    ['this machine', '127.0.0.1', '203.0.113.5', '127.0.0.1'],
    ['another machine', '198.51.100.9', '203.0.113.5', '198.51.100.9'],
  ])(
    'a request from %s (%s) with X-Forwarded-For %s has the client address %s by default',
    async (_who, peer, forwarded, address) => {
      expect(await addressOf(standard, peer, forwarded)).toBe(address);
    },
  );

  it.each([
    ['a visitor', '198.51.100.9', '203.0.113.5', '198.51.100.9'],
    ['a visitor who claims to be this machine', '198.51.100.9', '127.0.0.1', '198.51.100.9'],
    ['this machine', '127.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['this machine, with a forged first address', '127.0.0.1', '1.2.3.4, 203.0.113.5', '203.0.113.5'],
    ['this machine, with a forged loopback address', '127.0.0.1', '127.0.0.1, 203.0.113.5', '203.0.113.5'],
    ['this machine, with text before the address', '127.0.0.1', '<script>, 203.0.113.5', '203.0.113.5'],
    ['this machine, with text instead of an address', '127.0.0.1', 'not an address', '127.0.0.1'],
    ['this machine, with a name', '127.0.0.1', 'visitor.example', '127.0.0.1'],
    ['this machine, with text behind its own address', '127.0.0.1', '203.0.113.5, text', '127.0.0.1'],
    ['this machine, with text before its own address', '127.0.0.1', 'text, ::1', '::1'],
  ])(
    'a request from %s (%s) with X-Forwarded-For %s has the client address %s where loopback is trusted',
    async (_who, peer, forwarded, address) => {
      expect(await addressOf(local, peer, forwarded)).toBe(address);
    },
  );

  it.each([
    ['a configured proxy', '10.1.2.3', '203.0.113.5', '203.0.113.5'],
    ['a configured IPv6 proxy', '2001:db8::1', '203.0.113.5', '203.0.113.5'],
    ['two configured proxies in a row', '10.1.2.3', '203.0.113.5, 10.1.9.9', '203.0.113.5'],
    ['an address outside the configured network', '10.2.0.1', '203.0.113.5', '10.2.0.1'],
    ['this machine, which is not configured', '127.0.0.1', '203.0.113.5', '127.0.0.1'],
  ])(
    'a request from %s (%s) with X-Forwarded-For %s has the client address %s',
    async (_who, peer, forwarded, address) => {
      expect(await addressOf(behind, peer, forwarded)).toBe(address);
    },
  );

  it('warns once when X-Forwarded-For arrives from a peer that is not trusted', async () => {
    const lines: string[] = [];
    const logging = { logLevel: 'warn', logTo: { write: (line: string) => void lines.push(line) } } as const;
    const api = await startApi({ ...logging, trustedProxies: ['10.1.0.0/16'] }, { with: standard });
    const call = (remoteAddress: string, headers: Record<string, string>) =>
      api.app.inject({ url: '/api/auth/sessions', remoteAddress, headers });
    await call('192.0.2.1', {});
    await call('10.1.2.3', { 'x-forwarded-for': '203.0.113.5' });
    await call('192.0.2.1', { 'x-forwarded-for': 'not an address' });
    expect(lines).toEqual([]);
    await call('192.0.2.1', { 'x-forwarded-for': '203.0.113.5' });
    await call('192.0.2.2', { 'x-forwarded-for': '203.0.113.5' });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 40,
      msg: expect.stringContaining('TRUSTED_PROXIES'),
    });
    await api.close();
  });

  it('cannot be used to evade the limit of login attempts', async () => {
    const body = { email: freshEmail(), password: 'a wrong guess' };
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const answer = await standard.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress: '198.51.100.77',
        headers: { origin, 'x-forwarded-for': `203.0.113.${n}` },
        body,
      });
      statuses.push(answer.statusCode);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});
