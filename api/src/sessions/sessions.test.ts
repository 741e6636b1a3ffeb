import { sessionEndedTopic } from '@riskboard/contract';
import { withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshEmail, password, type Person, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const me = async (person: Person) => (await person.get('/api/auth/me')).statusCode;

/** A browser with a copy of the cookies. */
function copyOf(person: Person): Person {
  const copy = visitor(api);
  for (const [name, value] of person.cookies) copy.cookies.set(name, value);
  return copy;
}

const sessionOf = (person: Person): string => person.cookies.get('rb_refresh')?.split('.')[0] ?? '';

/** Whether the end of a session was published, which closes its live connections. */
const isEndPublished = (sessionId: string): boolean =>
  api.relay.published.some(({ topic }) => topic === sessionEndedTopic(sessionId));

const ageRotation = (person: Person, seconds: number) =>
  sql`update rotated_secret set rotated_at = rotated_at - make_interval(secs => ${seconds})
      where session_id in (select id from session where account_id = ${person.user._id})`.execute(
    api.database.system,
  );

describe('logout', () => {
  it('ends the session and its refresh token for every copy of its cookies', async () => {
    const person = await signUp(api);
    const copy = copyOf(person);
    expect((await person.post('/api/auth/logout')).json()).toEqual({ success: true });
    expect([...person.cookies.keys()]).toEqual(['rb_device']);
    expect(await me(copy)).toBe(401);
    expect((await copy.post('/api/auth/refresh')).statusCode).toBe(401);
  });

  it('needs only the refresh cookie when the session cookie has expired', async () => {
    const person = await signUp(api);
    const copy = copyOf(person);
    person.cookies.delete('rb_session');
    expect((await person.post('/api/auth/logout')).statusCode).toBe(200);
    expect(await me(copy)).toBe(401);
  });

  it('keeps the other sessions of the person', async () => {
    const person = await signUp(api);
    const elsewhere = visitor(api);
    await elsewhere.post('/api/auth/login', {
      email: person.user.email,
      password,
    });
    await person.post('/api/auth/logout');
    expect(await me(elsewhere)).toBe(200);
  });

  it('succeeds without a session', async () => {
    expect((await visitor(api).post('/api/auth/logout')).statusCode).toBe(200);
  });
});

describe('signing in again', () => {
  it.each([
    ['as the same person', async ({ user }: Person) => user.email],
    ['as another', async () => (await signUp(api)).user.email],
  ])('%s ends the previous session of the browser, and no other', async (_who, emailOf) => {
    const person = await signUp(api);
    const email = await emailOf(person);
    const previous = sessionOf(person);
    const [copy, elsewhere] = [copyOf(person), visitor(api)];
    await elsewhere.post('/api/auth/login', { email: person.user.email, password });
    expect((await person.post('/api/auth/login', { email, password })).statusCode).toBe(200);
    expect([previous, sessionOf(elsewhere)].map(isEndPublished)).toEqual([true, false]);
    expect([await me(person), await me(copy), await me(elsewhere)]).toEqual([200, 401, 200]);
    expect((await copy.post('/api/auth/refresh')).statusCode).toBe(401);
  });

  it('keeps the session when it fails', async () => {
    const person = await signUp(api);
    const { email } = person.user;
    expect((await person.post('/api/auth/login', { email, password: 'a wrong guess' })).statusCode).toBe(401);
    expect(await me(person)).toBe(200);
  });

  it('by a new sign-up ends the previous session too', async () => {
    const person = await signUp(api);
    const [copy, previous] = [copyOf(person), sessionOf(person)];
    await person.post('/api/auth/signup', { email: freshEmail(), password, firstName: 'Grace' });
    expect([await me(person), await me(copy)]).toEqual([200, 401]);
    expect(isEndPublished(previous)).toBe(true);
  });
});

describe('refreshing a session', () => {
  it('returns a new session cookie and a new secret', async () => {
    const person = await signUp(api);
    const before = new Map(person.cookies);
    const answer = await person.post('/api/auth/refresh');
    expect(answer.json()).toEqual({ user: person.user });
    expect(person.cookies.get('rb_refresh')).not.toBe(before.get('rb_refresh'));
    expect(person.cookies.get('rb_session')).not.toBe(before.get('rb_session'));
    expect(await me(person)).toBe(200);
  });

  it('works in two tabs at once', async () => {
    const tab = await signUp(api);
    const other = copyOf(tab);
    const answers = await Promise.all([tab.post('/api/auth/refresh'), other.post('/api/auth/refresh')]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    expect(tab.cookies.get('rb_refresh')).toBe(other.cookies.get('rb_refresh'));
    expect([await me(tab), await me(other)]).toEqual([200, 200]);
  });

  it('whose answer was lost returns the same new secret to a repeat within ten seconds, which can be used later', async () => {
    const person = await signUp(api);
    const repeating = copyOf(person);
    await person.post('/api/auth/refresh');
    expect((await repeating.post('/api/auth/refresh')).statusCode).toBe(200);
    expect(repeating.cookies.get('rb_refresh')).toBe(person.cookies.get('rb_refresh'));
    await ageRotation(person, 11);
    expect((await repeating.post('/api/auth/refresh')).statusCode).toBe(200);
    expect(await me(repeating)).toBe(200);
  });

  it('returns no secret to a repeat when the next one has been rotated too', async () => {
    const person = await signUp(api);
    const late = copyOf(person);
    await person.post('/api/auth/refresh');
    await person.post('/api/auth/refresh');
    const answer = await late.post('/api/auth/refresh');
    expect(answer.statusCode).toBe(200);
    expect(answer.cookies.map(({ name }) => name)).not.toContain('rb_refresh');
  });

  it('ends the session when a rotated secret is reused after ten seconds', async () => {
    const person = await signUp(api);
    const thief = copyOf(person);
    await person.post('/api/auth/refresh');
    await ageRotation(person, 11);
    const answer = await thief.post('/api/auth/refresh');
    expect(answer.statusCode).toBe(401);
    expect(isEndPublished(sessionOf(person))).toBe(true);
    expect([...thief.cookies.keys()]).toEqual(['rb_device']);
    expect(await me(person)).toBe(401);
    expect((await person.post('/api/auth/refresh')).statusCode).toBe(401);
  });

  it('accepts every secret that was rotated within ten seconds, not only the last one', async () => {
    const person = await signUp(api);
    const copies = [copyOf(person)];
    for (let n = 0; n < 3; n += 1) {
      await person.post('/api/auth/refresh');
      copies.push(copyOf(person));
    }
    const answers = await Promise.all(copies.map((copy) => copy.post('/api/auth/refresh')));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200]);
    expect(await me(person)).toBe(200);
  });

  it('ends the session when any secret that was rotated earlier is reused', async () => {
    const person = await signUp(api);
    const thief = copyOf(person);
    await person.post('/api/auth/refresh');
    await ageRotation(person, 11);
    await person.post('/api/auth/refresh');
    expect((await thief.post('/api/auth/refresh')).statusCode).toBe(401);
    expect(await me(person)).toBe(401);
  });

  it('with an unknown secret is 401 and ends nothing', async () => {
    const person = await signUp(api);
    const stranger = visitor(api);
    stranger.cookies.set('rb_refresh', `${sessionOf(person)}.${'x'.repeat(43)}`);
    expect((await stranger.post('/api/auth/refresh')).statusCode).toBe(401);
    expect(isEndPublished(sessionOf(person))).toBe(false);
    expect(await me(person)).toBe(200);
    expect((await person.post('/api/auth/refresh')).statusCode).toBe(200);
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

describe('a session', () => {
  it.each([
    ['idle for eight hours', sql`last_used_at = now() - interval '8 hours 1 second'`],
    ['older than seven days', sql`expires_at = now()`],
  ])('ends when %s', async (_when, change) => {
    const person = await signUp(api);
    await sql`update session set ${change} where account_id = ${person.user._id}`.execute(
      api.database.system,
    );
    expect(await me(person)).toBe(401);
    expect((await person.post('/api/auth/refresh')).statusCode).toBe(401);
  });

  it('does not become idle while it is used', async () => {
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

  it('reflects a changed role and a removed member at the next call', async () => {
    const person = await signUp(api);
    await person.becomes('viewer');
    expect((await person.get('/api/auth/me')).json()).toMatchObject({ user: { role: 'viewer' } });
    await withOrganization(api.database, person.user.organizationId, (trx) =>
      trx.deleteFrom('membership').where('account_id', '=', person.user._id).execute(),
    );
    expect(await me(person)).toBe(401);
  });
});
