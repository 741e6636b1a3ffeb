import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp } from '../testing/person.ts';
import { sessionSecret, startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const me = async (person: Person) => (await person.get('/api/auth/me')).statusCode;

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

  it('expires after ten minutes and names issuer and audience', async () => {
    const claims = claimsOf(await signUp(api));
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(600);
    expect(claims).toMatchObject({ iss: 'riskboard', aud: 'riskboard' });
  });

  it('signed by the test like the product is accepted (control for the refusals below)', async () => {
    const person = await signUp(api);
    person.cookies.set('rb_session', forge(claimsOf(person)));
    expect(await me(person)).toBe(200);
  });

  it.each<[string, (claims: Record<string, unknown>) => string]>([
    ['alg none', (claims) => forge(claims, { alg: 'none' })],
    ['HS512 under the same secret', (claims) => forge(claims, { alg: 'HS512', hash: 'sha512' })],
    ['another secret', (claims) => forge(claims, { secret: 'another secret' })],
    ['an expiry in the past', (claims) => forge({ ...claims, exp: now() - 1 })],
    ['no end', ({ exp: _exp, ...claims }) => forge(claims)],
    ['a start in the future', (claims) => forge({ ...claims, nbf: now() + 3600 })],
    ['a foreign audience', (claims) => forge({ ...claims, aud: 'elsewhere' })],
    ['a foreign issuer', (claims) => forge({ ...claims, iss: 'elsewhere' })],
    ['another account as its subject', (claims) => forge({ ...claims, sub: crypto.randomUUID() })],
    ['no audience', ({ aud: _aud, ...claims }) => forge(claims)],
    ['no issuer', ({ iss: _iss, ...claims }) => forge(claims)],
    ['no subject', ({ sub: _sub, ...claims }) => forge(claims)],
    ['a session that is not an id', (claims) => forge({ ...claims, sid: "x' or 1=1" })],
    ['an unknown session', (claims) => forge({ ...claims, sid: crypto.randomUUID() })],
    ['nonsense', () => 'a.b.c'],
  ])('with %s is refused', async (_what, forged) => {
    const person = await signUp(api);
    person.cookies.set('rb_session', forged(claimsOf(person)));
    const answer = await person.get('/api/auth/me');
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: 'session_expired' });
  });

  it('with changed claims is refused', async () => {
    const person = await signUp(api);
    const [head, , signature] = (person.cookies.get('rb_session') ?? '').split('.');
    const body = part({ ...claimsOf(person), exp: now() + 10 ** 6 });
    person.cookies.set('rb_session', `${head}.${body}.${signature}`);
    expect(await me(person)).toBe(401);
  });
});
