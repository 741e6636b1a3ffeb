import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  bySession,
  type Credentials,
  makeMember,
  makeOrganization,
  type Member,
} from '../../testing/accounts/member.ts';
import { type Person, signUp, visitor } from '../../testing/person.ts';
import { sessionSecret as old, startApi, type TestApi } from '../../testing/start-api.ts';

const fresh = 'the secret that takes over, long enough to sign with';

let before: TestApi;
/** The first of two rollouts: the new secret is accepted and does not sign yet. */
let announced: TestApi;
/** The same product after a restart: with both secrets, then with the new one alone. */
let during: TestApi;
let after: TestApi;
let member: Member;
beforeAll(async () => {
  before = await startApi();
  announced = await startApi({ sessionSecret: old, previousSecret: fresh }, { with: before });
  during = await startApi({ sessionSecret: fresh, previousSecret: old }, { with: before });
  after = await startApi({ sessionSecret: fresh }, { with: before });
  member = await makeMember(before, await makeOrganization(before), 'owner');
});
afterAll(async () => {
  await after.close();
  await during.close();
  await announced.close();
  await before.close();
});

const me = async ({ app }: TestApi, { headers }: Pick<Credentials, 'headers'>): Promise<number> =>
  (await app.inject({ url: '/api/auth/me', headers })).statusCode;

function signedWith(secret: string, jwt: string): boolean {
  const [head = '', body = '', signature] = jwt.split('.');
  return createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url') === signature;
}

/** The same cookies, shown to another process. */
function movedTo(api: TestApi, person: Person): Person {
  const moved = visitor(api);
  for (const [name, value] of person.cookies) moved.cookies.set(name, value);
  return moved;
}

it('a cookie signed with the previous secret is accepted while that secret is configured', async () => {
  const cookie = await bySession(before, member);
  expect(await Promise.all([before, during, after].map((api) => me(api, cookie)))).toEqual([200, 200, 401]);
});

it('a cookie signed with the new secret is accepted with and without the previous one, but not by old processes', async () => {
  const cookie = await bySession(during, member);
  expect(await Promise.all([before, during, after].map((api) => me(api, cookie)))).toEqual([401, 200, 200]);
});

it('in two rollouts, old and new processes of each accept the sessions of the other, refreshed or not', async () => {
  for (const [from, to] of [
    [before, announced],
    [announced, before],
    [announced, during],
    [during, announced],
  ] as const) {
    const moved = movedTo(to, await signUp(from));
    expect((await moved.get('/api/auth/me')).statusCode).toBe(200);
    expect((await moved.post('/api/auth/refresh')).statusCode).toBe(200);
    expect((await movedTo(from, moved).get('/api/auth/me')).statusCode).toBe(200);
  }
});

it('the previous secret never signs: a refresh signs with the new one', async () => {
  const person = await signUp(before);
  expect(signedWith(old, person.cookies.get('rb_session') ?? '')).toBe(true);
  const moved = movedTo(during, person);
  expect((await moved.post('/api/auth/refresh')).statusCode).toBe(200);
  const renewed = moved.cookies.get('rb_session') ?? '';
  expect([signedWith(fresh, renewed), signedWith(old, renewed)]).toEqual([true, false]);
  expect((await movedTo(after, moved).get('/api/auth/me')).statusCode).toBe(200);
});

it('a refresh needs a token signed with a configured secret: a change without the previous one signs everyone out', async () => {
  const [person, alone] = [await signUp(before), await signUp(before)];
  const refused = await movedTo(after, person).post('/api/auth/refresh');
  expect([refused.statusCode, refused.json().code]).toEqual([401, 'session_expired']);
  const moved = movedTo(during, person);
  expect((await moved.post('/api/auth/refresh')).statusCode).toBe(200);
  expect((await movedTo(after, moved).post('/api/auth/refresh')).statusCode).toBe(200);

  alone.cookies.delete('rb_session');
  expect((await alone.post('/api/auth/refresh')).statusCode).toBe(200);
});

it('a refresh token from before tokens were signed needs the session cookie, signed with a configured secret', async () => {
  const person = await signUp(before);
  const token = person.cookies.get('rb_refresh') ?? '';
  const unsigned = (api: TestApi): Person => {
    const moved = movedTo(api, person);
    moved.cookies.set('rb_refresh', token.split('.').slice(0, 2).join('.'));
    return moved;
  };
  const refresh = async (one: Person) => (await one.post('/api/auth/refresh')).statusCode;
  expect(await refresh(unsigned(after))).toBe(401);
  const without = unsigned(before);
  without.cookies.delete('rb_session');
  expect(await refresh(without)).toBe(401);
  const forged = movedTo(before, person);
  forged.cookies.set('rb_refresh', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`);
  expect(await refresh(forged)).toBe(401);
  expect(await refresh(unsigned(during))).toBe(200);
});

it('a cookie signed with an unknown secret is refused', async () => {
  const third = await startApi({ sessionSecret: 'x'.repeat(40), previousSecret: fresh }, { with: before });
  expect(await me(third, await bySession(before, member))).toBe(401);
  expect(await me(during, await bySession(third, member))).toBe(401);
  await third.close();
});
