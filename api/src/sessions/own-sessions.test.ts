import type { Session, User } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logged, loggedActions } from '../testing/logged.ts';
import { password, type Person, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const me = async (person: Person) => (await person.get('/api/auth/me')).statusCode;
const listed = async (person: Person) =>
  (await person.get('/api/auth/sessions')).json<{ sessions: Session[] }>().sessions;
const end = (person: Person, sessionId: string | undefined, secret = password) =>
  person.delete(`/api/auth/sessions/${sessionId}`, { password: secret });
const publishedEnds = (sessionId: string) =>
  api.relay.published.filter(({ topic }) => topic === `session.${sessionId}.ended`).length;

/** The same person at another browser. */
async function elsewhere(user: User, userAgent = 'another browser'): Promise<Person> {
  const browser = visitor(api);
  const credentials = { email: user.email, password };
  await browser.call({
    method: 'POST',
    url: '/api/auth/login',
    body: credentials,
    headers: { 'user-agent': userAgent },
  });
  return browser;
}

const idle = (sessionId: string, ago: string) =>
  sql`update session set last_used_at = now() - ${ago}::interval where id = ${sessionId}`.execute(
    api.database.system,
  );

describe('the list of own sessions', () => {
  it('shows the current session first, then the most recently used, with browser and address', async () => {
    const person = await signUp(api);
    await elsewhere(person.user, 'older');
    await elsewhere(person.user, 'newer');
    const sessions = await listed(person);
    expect(sessions.map(({ current, userAgent }) => [current, userAgent])).toEqual([
      [true, 'lightMyRequest'],
      [false, 'newer'],
      [false, 'older'],
    ]);
    expect(new Set(sessions.map((session) => session.address)).size).toBe(3);
    await idle(sessions[1]?._id ?? '', '1 hour');
    expect((await listed(person)).map((session) => session.userAgent)).toEqual([
      'lightMyRequest',
      'older',
      'newer',
    ]);
  });

  it('shows no ended, idle or expired sessions, and no sessions of other people', async () => {
    const [person, stranger] = [await signUp(api), await signUp(api)];
    for (let n = 0; n < 3; n += 1) await elsewhere(person.user);
    const [, ended, silent, old] = await listed(person);
    await end(person, ended?._id);
    await idle(silent?._id ?? '', '8 hours 1 second');
    await sql`update session set expires_at = now() where id = ${old?._id}`.execute(api.database.system);
    expect(await listed(person)).toHaveLength(1);
    expect((await listed(stranger)).map((session) => session.current)).toEqual([true]);
  });

  it('truncates a long user agent', async () => {
    const person = await signUp(api);
    await elsewhere(person.user, 'x'.repeat(5000));
    expect((await listed(person))[1]?.userAgent).toHaveLength(300);
  });
});

describe('ending one session', () => {
  it('ends it immediately, publishes it and records it', async () => {
    const person = await signUp(api);
    const other = await elsewhere(person.user);
    const third = await elsewhere(person.user);
    const { _id } = (await listed(other))[0] as Session;
    expect((await end(person, _id)).json()).toEqual({
      success: true,
      _id,
      id: _id,
    });
    expect(await Promise.all([me(other), me(third), me(person)])).toEqual([401, 200, 200]);
    expect(publishedEnds(_id)).toBe(1);
    expect((await logged(api, person.user.organizationId)).at(-1)).toMatchObject({
      action: 'account.sessions-ended',
      detail: { ended: 1 },
      account_id: person.user._id,
    });
    expect((await end(person, _id)).statusCode).toBe(404);
  });

  it('clears the cookies when it is the current one', async () => {
    const person = await signUp(api);
    const { _id } = (await listed(person))[0] as Session;
    expect((await end(person, _id)).statusCode).toBe(200);
    expect([...person.cookies.keys()]).toEqual(['rb_device']);
  });

  it('is 404 for a session of another person', async () => {
    const [person, stranger] = [await signUp(api), await signUp(api)];
    const { _id } = (await listed(stranger))[0] as Session;
    expect((await end(person, _id)).statusCode).toBe(404);
    expect(await me(stranger)).toBe(200);
    expect(await loggedActions(api, person.user.organizationId)).toEqual(['account.signed-up']);
  });
});

describe('log out everywhere', () => {
  it('ends every session of the person including the current one, and no others', async () => {
    const [person, stranger] = [await signUp(api), await signUp(api)];
    const other = await elsewhere(person.user);
    const ids = (await listed(person)).map((session) => session._id);
    const answer = await person.post('/api/auth/logout-everywhere', { password });
    expect(answer.json()).toEqual({ success: true, ended: 2, tokensRevoked: 0 });
    expect([...person.cookies.keys()]).toEqual(['rb_device']);
    expect(await me(other)).toBe(401);
    expect((await other.post('/api/auth/refresh')).statusCode).toBe(401);
    expect(await me(stranger)).toBe(200);
    expect(ids.map(publishedEnds)).toEqual([1, 1]);
    expect((await logged(api, person.user.organizationId)).at(-1)).toMatchObject({
      action: 'account.sessions-ended',
      detail: { ended: 2, tokensRevoked: 0 },
    });
  });
});

it('ending sessions requires the password, under the limits of signing in', async () => {
  const person = await signUp(api);
  const other = await elsewhere(person.user);
  const { _id } = (await listed(other))[0] as Session;
  expect((await person.delete(`/api/auth/sessions/${_id}`)).statusCode).toBe(422);
  expect((await person.post('/api/auth/logout-everywhere')).statusCode).toBe(422);
  for (let n = 0; n < 4; n += 1)
    expect((await end(person, _id, 'a wrong guess')).json()).toMatchObject({ code: 'wrong_password' });
  const everywhere = await person.post('/api/auth/logout-everywhere', { password: 'a wrong guess' });
  expect(everywhere.json()).toMatchObject({ statusCode: 403, code: 'wrong_password' });
  expect((await end(person, _id)).statusCode).toBe(429);
  expect(await Promise.all([me(person), me(other)])).toEqual([200, 200]);
});

describe('logging out', () => {
  it('is recorded and published, by the session or by the refresh secret', async () => {
    const person = await signUp(api);
    const other = await elsewhere(person.user);
    const ids = (await listed(person)).map((session) => session._id);
    other.cookies.delete('rb_session');
    await other.post('/api/auth/logout');
    await person.post('/api/auth/logout');
    await person.post('/api/auth/logout');
    expect(ids.map(publishedEnds)).toEqual([1, 1]);
    const out = (await logged(api, person.user.organizationId)).filter(
      (entry) => entry.action === 'account.signed-out',
    );
    expect(out).toHaveLength(2);
    for (const entry of out) {
      expect(entry).toMatchObject({ account_id: person.user._id, actor: `Ada <${person.user.email}>` });
    }
  });

  it('with a wrong refresh secret ends nothing', async () => {
    const person = await signUp(api);
    const { _id } = (await listed(person))[0] as Session;
    const guesser = visitor(api);
    guesser.cookies.set('rb_refresh', `${_id}.${'x'.repeat(43)}`);
    expect((await guesser.post('/api/auth/logout')).statusCode).toBe(200);
    expect(await me(person)).toBe(200);
  });
});
