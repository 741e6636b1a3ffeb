import type { ErrorReply } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logged } from '../testing/logged.ts';
import { copyOf, password, type Person, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const newPassword = 'a new one that is long enough';
const change = (person: Person, body: object = {}) =>
  person.post('/api/auth/password', { current: password, password: newPassword, ...body });
const login = (person: Person, secret: string, browser = visitor(api)) =>
  browser.post('/api/auth/login', { email: person.user.email, password: secret });

describe('changing a password', () => {
  it('replaces this session, ends all others and publishes their end', async () => {
    const person = await signUp(api);
    const other = visitor(api);
    await login(person, password, other);
    const before = api.relay.published.filter(({ topic }) => topic.startsWith('session.')).length;
    expect((await change(person)).json()).toEqual({ success: true });
    expect((await person.get('/api/auth/me')).statusCode).toBe(200);
    expect((await other.get('/api/auth/me')).statusCode).toBe(401);
    expect(api.relay.published.filter(({ topic }) => topic.startsWith('session.'))).toHaveLength(before + 2);
    expect((await login(person, password)).statusCode).toBe(401);
    expect((await login(person, newPassword)).statusCode).toBe(200);
  });

  it('ends copies of the cookies: a copy is refused and cannot refresh, the browser goes on and can', async () => {
    const person = await signUp(api);
    const [copy, refreshing] = [copyOf(api, person), copyOf(api, person)];
    expect((await copy.get('/api/auth/me')).statusCode).toBe(200);
    expect((await change(person)).statusCode).toBe(200);
    expect((await copy.get('/api/auth/me')).statusCode).toBe(401);
    expect((await refreshing.post('/api/auth/refresh')).statusCode).toBe(401);
    expect((await person.get('/api/auth/me')).statusCode).toBe(200);
    expect((await person.post('/api/auth/refresh')).statusCode).toBe(200);
    expect((await person.get('/api/auth/sessions')).json()).toMatchObject({ sessions: [{ current: true }] });
  });

  it('does not extend the 7 days of the session', async () => {
    const person = await signUp(api);
    const expiry = () =>
      sql<{ at: Date }>`
      select expires_at as at from session where account_id = ${person.user._id} and ended_at is null`.execute(
        api.database.system,
      );
    const { rows: before } = await expiry();
    await change(person);
    expect((await expiry()).rows).toEqual(before);
  });

  it('keeps the session when it is refused', async () => {
    const person = await signUp(api);
    const copy = copyOf(api, person);
    const refused = await change(person, { current: 'a wrong guess' });
    expect([refused.statusCode, refused.cookies]).toEqual([403, []]);
    expect((await copy.get('/api/auth/me')).statusCode).toBe(200);
  });

  it('deletes the mailed links to set a password', async () => {
    const person = await signUp(api);
    await sql`
      insert into password_reset (token_hash, account_id, expires_at)
      values ('x', ${person.user._id}, now() + interval '1 hour')`.execute(api.database.system);
    await change(person);
    const { rows } = await sql`select * from password_reset where account_id = ${person.user._id}`.execute(
      api.database.system,
    );
    expect(rows).toEqual([]);
  });

  it('is notified by mail and recorded', async () => {
    const person = await signUp(api);
    await change(person);
    const { rows } = await sql`
      select kind, detail from outgoing_mail where email = ${person.user.email}`.execute(api.database.system);
    expect(rows).toEqual([{ kind: 'account-changed', detail: 'password' }]);
    expect(api.relay.published.some(({ topic }) => topic === 'mail.waiting')).toBe(true);
    expect((await logged(api, person.user.organizationId)).at(-1)).toMatchObject({
      action: 'account.password-changed',
      detail: { sessionsEnded: 0 },
    });
  });

  it('requires the current password, and is 429 after five wrong ones', async () => {
    const person = await signUp(api);
    for (let n = 0; n < 5; n += 1) {
      const answer = await change(person, { current: 'a wrong guess' });
      expect(answer.statusCode).toBe(403);
      expect(answer.json<ErrorReply>().code).toBe('wrong_password');
    }
    expect((await change(person)).statusCode).toBe(429);
    expect((await login(person, password, person)).statusCode).toBe(429);
    expect((await login(person, password)).statusCode).toBe(200);
  });

  it.each([
    ['too short', () => 'elevenchars'],
    ['common', () => 'qwerty123456'],
    ['the address', (person: Person) => person.user.email],
  ])('refuses a password that is %s', async (_what, secret) => {
    const person = await signUp(api);
    const answer = await change(person, { password: secret(person) });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details?.map((issue) => issue.path)).toEqual(['password']);
    expect((await login(person, password)).statusCode).toBe(200);
  });

  it('succeeds in one of two concurrent browsers', async () => {
    const person = await signUp(api);
    const other = visitor(api);
    await login(person, password, other);
    const answers = await Promise.all([
      change(person, { password: 'the password of one' }),
      change(other, { password: 'the password of the other' }),
    ]);
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
  });
});
