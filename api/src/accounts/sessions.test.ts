import { createHmac } from 'node:crypto';
import { withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp, visitor } from '../testing/person.ts';
import { sessionSecret, startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const me = async (person: Person) => (await person.get('/api/auth/me')).statusCode;

/** The same browser as it was: cookies that somebody kept a copy of. */
function copyOf(person: Person): Person {
  const copy = visitor(api);
  for (const [name, value] of person.cookies) copy.cookies.set(name, value);
  return copy;
}

const ageRotation = (person: Person, seconds: number) =>
  sql`update session set rotated_at = rotated_at - make_interval(secs => ${seconds})
      where account_id = ${person.user._id}`.execute(api.database.system);

describe('logout', () => {
  it('ends the session at once, its refresh too, for every copy of its cookies', async () => {
    const person = await signUp(api);
    const copy = copyOf(person);
    expect((await person.post('/api/auth/logout')).json()).toEqual({ success: true });
    expect(person.cookies.size).toBe(0);
    expect(await me(copy)).toBe(401);
    expect((await copy.post('/api/auth/refresh')).statusCode).toBe(401);
  });

  it('needs only the refresh cookie when the session cookie has run out', async () => {
    const person = await signUp(api);
    const copy = copyOf(person);
    person.cookies.delete('rb_session');
    expect((await person.post('/api/auth/logout')).statusCode).toBe(200);
    expect(await me(copy)).toBe(401);
  });

  it('leaves the other sessions of the person alone', async () => {
    const person = await signUp(api);
    const elsewhere = visitor(api);
    await elsewhere.post('/api/auth/login', {
      email: person.user.email,
      password: 'correct horse battery staple',
    });
    await person.post('/api/auth/logout');
    expect(await me(elsewhere)).toBe(200);
  });

  it('without any session is no error', async () => {
    expect((await visitor(api).post('/api/auth/logout')).statusCode).toBe(200);
  });
});

describe('refresh', () => {
  it('gives a new session cookie and a new secret', async () => {
    const person = await signUp(api);
    const before = new Map(person.cookies);
    const answer = await person.post('/api/auth/refresh');
    expect(answer.json()).toEqual({ user: person.user });
    expect(person.cookies.get('rb_refresh')).not.toBe(before.get('rb_refresh'));
    expect(person.cookies.get('rb_session')).not.toBe(before.get('rb_session'));
    expect(await me(person)).toBe(200);
  });

  it('lets two tabs refresh at once', async () => {
    const tab = await signUp(api);
    const other = copyOf(tab);
    const answers = await Promise.all([tab.post('/api/auth/refresh'), other.post('/api/auth/refresh')]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    const rotated = answers.filter((answer) => answer.cookies.some(({ name }) => name === 'rb_refresh'));
    expect(rotated).toHaveLength(1);
    expect([await me(tab), await me(other)]).toEqual([200, 200]);
  });

  it('ends the family when a rotated secret comes back after ten seconds', async () => {
    const person = await signUp(api);
    const thief = copyOf(person);
    await person.post('/api/auth/refresh');
    await ageRotation(person, 11);
    const answer = await thief.post('/api/auth/refresh');
    expect(answer.statusCode).toBe(401);
    expect(thief.cookies.size).toBe(0);
    expect(await me(person)).toBe(401);
    expect((await person.post('/api/auth/refresh')).statusCode).toBe(401);
  });

  it('ends the family at once when the secret is older than the last', async () => {
    const person = await signUp(api);
    const thief = copyOf(person);
    await person.post('/api/auth/refresh');
    await person.post('/api/auth/refresh');
    expect((await thief.post('/api/auth/refresh')).statusCode).toBe(401);
    expect(await me(person)).toBe(401);
  });

  it.each(['', 'x', '.', '------------------------------------.x', '0.0', 'é'.repeat(40)])(
    'answers 401 to the secret %j',
    async (secret) => {
      const browser = visitor(api);
      const cookie = `rb_refresh=${encodeURIComponent(secret)}`;
      const answer = await browser.call({ method: 'POST', url: '/api/auth/refresh', headers: { cookie } });
      expect(answer.statusCode).toBe(401);
    },
  );
});

describe('session', () => {
  it.each([
    ['idle for eight hours', sql`last_used_at = now() - interval '8 hours 1 second'`],
    ['older than seven days', sql`expires_at = now()`],
  ])('is over when %s', async (_when, change) => {
    const person = await signUp(api);
    await sql`update session set ${change} where account_id = ${person.user._id}`.execute(
      api.database.system,
    );
    expect(await me(person)).toBe(401);
    expect((await person.post('/api/auth/refresh')).statusCode).toBe(401);
  });

  it('stays awake while it is used', async () => {
    const person = await signUp(api);
    await sql`update session set last_used_at = now() - interval '7 hours' where account_id = ${person.user._id}`.execute(
      api.database.system,
    );
    expect(await me(person)).toBe(200);
    const { rows } = await sql<{ idle: number }>`
      select extract(epoch from now() - last_used_at)::int as idle from session
      where account_id = ${person.user._id}`.execute(api.database.system);
    expect(rows[0]?.idle).toBeLessThan(60);
  });

  it('follows a changed role and a removed member at the next call', async () => {
    const person = await signUp(api);
    await person.becomes('viewer');
    expect((await person.get('/api/auth/me')).json()).toMatchObject({ user: { role: 'viewer' } });
    await withOrganization(api.database, person.user.organizationId, (trx) =>
      trx.deleteFrom('membership').where('account_id', '=', person.user._id).execute(),
    );
    expect(await me(person)).toBe(401);
  });
});

describe('a session cookie', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = () => Math.floor(Date.now() / 1000);

  function forge(claims: object, how: { alg?: string; hash?: string; secret?: string } = {}): string {
    const { alg = 'HS256', hash = 'sha256', secret = sessionSecret } = how;
    const signed = `${part({ alg, typ: 'JWT' })}.${part(claims)}`;
    const signature = alg === 'none' ? '' : createHmac(hash, secret).update(signed).digest('base64url');
    return `${signed}.${signature}`;
  }

  function claimsOf(person: Person): Record<string, unknown> {
    const [, body = ''] = (person.cookies.get('rb_session') ?? '').split('.');
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  }

  it('lives ten minutes and names issuer and audience', async () => {
    const claims = claimsOf(await signUp(api));
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(600);
    expect(claims).toMatchObject({ iss: 'riskboard', aud: 'riskboard' });
  });

  it('forged as the product would sign it is accepted, so that the refusals below mean something', async () => {
    const person = await signUp(api);
    person.cookies.set('rb_session', forge(claimsOf(person)));
    expect(await me(person)).toBe(200);
  });

  it.each<[string, (claims: Record<string, unknown>) => string]>([
    ['alg none', (claims) => forge(claims, { alg: 'none' })],
    ['HS512 under the same secret', (claims) => forge(claims, { alg: 'HS512', hash: 'sha512' })],
    ['another secret', (claims) => forge(claims, { secret: 'another secret' })],
    ['its time over', (claims) => forge({ ...claims, exp: now() - 1 })],
    ['no end', ({ exp: _exp, ...claims }) => forge(claims)],
    ['its time not come', (claims) => forge({ ...claims, nbf: now() + 3600 })],
    ['a foreign audience', (claims) => forge({ ...claims, aud: 'elsewhere' })],
    ['a foreign issuer', (claims) => forge({ ...claims, iss: 'elsewhere' })],
    ['somebody else as its subject', (claims) => forge({ ...claims, sub: crypto.randomUUID() })],
    ['an unknown session', (claims) => forge({ ...claims, sid: crypto.randomUUID() })],
    ['nonsense', () => 'a.b.c'],
  ])('with %s is refused', async (_what, forged) => {
    const person = await signUp(api);
    person.cookies.set('rb_session', forged(claimsOf(person)));
    const answer = await person.get('/api/auth/me');
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: 'session_expired' });
  });

  it('tampered with in its claims is refused', async () => {
    const person = await signUp(api);
    const [head, , signature] = (person.cookies.get('rb_session') ?? '').split('.');
    const body = part({ ...claimsOf(person), exp: now() + 10 ** 6 });
    person.cookies.set('rb_session', `${head}.${body}.${signature}`);
    expect(await me(person)).toBe(401);
  });
});
