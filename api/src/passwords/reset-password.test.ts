import { createHash, randomBytes } from 'node:crypto';
import type { ErrorReply } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpSecondFactor } from '../testing/accounts/authenticator.ts';
import { atTheSameMoment } from '../testing/accounts/held-account.ts';
import { logged } from '../testing/logged.ts';
import { password, type Person, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const newPassword = 'a new one that is long enough';

/** A link as the mail sender makes one. */
async function linkFor(person: Person, lives = '10 minutes'): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await api.database.system
    .insertInto('password_reset')
    .values({
      token_hash: createHash('sha256').update(token).digest(),
      account_id: person.user._id,
      expires_at: sql`now() + ${lives}::interval`,
    })
    .execute();
  return token;
}

const reset = (token: string, secret = newPassword, browser = visitor(api)) =>
  browser.post('/api/auth/reset-password', { token, password: secret });
const login = (person: Person, secret: string, browser = visitor(api)) =>
  browser.post('/api/auth/login', { email: person.user.email, password: secret });

const spent = {
  code: 'invalid',
  statusCode: 422,
  message: 'This link is no longer valid. Request a new one.',
  details: [{ path: 'token', message: 'This link is no longer valid. Request a new one.' }],
};

describe('setting a new password by a mailed link', () => {
  it('replaces the password', async () => {
    const person = await signUp(api);
    const answer = await reset(await linkFor(person));
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({ message: 'Your password has been changed. Please log in.' });
    expect((await login(person, password)).statusCode).toBe(401);
    expect((await login(person, newPassword)).statusCode).toBe(200);
  });

  it('ends every session, publishes it, clears the cookies and does not sign in', async () => {
    const person = await signUp(api);
    const other = visitor(api);
    await login(person, password, other);
    const { rows } = await sql<{ id: string }>`
      select id from session where account_id = ${person.user._id}`.execute(api.database.system);
    const answer = await reset(await linkFor(person), newPassword, person);
    expect(answer.statusCode).toBe(202);
    expect([...person.cookies.keys()]).toEqual(['rb_device']);
    expect((await other.get('/api/auth/me')).statusCode).toBe(401);
    expect((await other.post('/api/auth/refresh')).statusCode).toBe(401);
    for (const { id } of rows)
      expect(api.relay.published).toContainEqual({
        topic: `session.${id}.ended`,
        message: { sessionId: id },
      });
  });

  it("does not end other people's sessions", async () => {
    const [person, stranger] = [await signUp(api), await signUp(api)];
    await reset(await linkFor(person));
    expect((await stranger.get('/api/auth/me')).statusCode).toBe(200);
    expect((await login(stranger, password)).statusCode).toBe(200);
  });

  it('works once, even twenty times at once, and deletes the other links of the account', async () => {
    const person = await signUp(api);
    const [token, other] = [await linkFor(person), await linkFor(person)];
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => reset(n % 2 ? token : other)));
    expect(answers.filter((answer) => answer.statusCode === 202)).toHaveLength(1);
    for (const answer of answers.filter((one) => one.statusCode !== 202))
      expect(answer.json<ErrorReply>()).toMatchObject(spent);
    for (const used of [token, other]) expect((await reset(used)).json<ErrorReply>()).toMatchObject(spent);
  });

  it('with two links of one account at once does not deadlock', async () => {
    const person = await signUp(api);
    const tokens = [await linkFor(person), await linkFor(person)];
    const answers = await atTheSameMoment(
      api,
      person.user._id,
      tokens.map((token) => () => reset(token)),
    );
    expect(answers.filter((answer) => answer.statusCode === 202)).toHaveLength(1);
    expect(answers.filter((answer) => answer.statusCode === 422)).toHaveLength(1);
  });

  it('works for ten minutes', async () => {
    const person = await signUp(api);
    expect((await reset(await linkFor(person, '-1 second'))).json<ErrorReply>()).toMatchObject(spent);
    expect((await reset(await linkFor(person, '2 seconds'))).statusCode).toBe(202);
  });

  it('refuses an unknown link', async () => {
    for (const token of ['x', randomBytes(32).toString('base64url')])
      expect((await reset(token)).json<ErrorReply>()).toMatchObject(spent);
    // Refused as text before it is looked up.
    expect((await reset('\u0000')).json<ErrorReply>()).toMatchObject({
      statusCode: 422,
      details: [{ path: 'token', message: expect.stringContaining('NUL') }],
    });
  });

  it.each([
    ['too short', () => 'elevenchars', 'Use at least 12 characters.'],
    ['common', () => 'qwerty123456', 'This password is too common. Choose another.'],
    [
      'the address',
      (person: Person) => person.user.email.toUpperCase(),
      'This password is too common. Choose another.',
    ],
  ])('refuses a password that is %s, and the link remains valid', async (_what, secret, message) => {
    const person = await signUp(api);
    const token = await linkFor(person);
    const answer = await reset(token, secret(person));
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details).toEqual([{ path: 'password', message }]);
    expect((await person.get('/api/auth/me')).statusCode).toBe(200);
    expect((await reset(token)).statusCode).toBe(202);
  });

  it('is notified by mail and recorded', async () => {
    const person = await signUp(api);
    await reset(await linkFor(person));
    const { rows } = await sql`
      select kind, detail from outgoing_mail where email = ${person.user.email}`.execute(api.database.system);
    expect(rows).toEqual([{ kind: 'account-changed', detail: 'password-reset' }]);
    expect((await logged(api, person.user.organizationId)).at(-1)).toMatchObject({
      action: 'account.password-reset',
      account_id: person.user._id,
      actor: `Ada <${person.user.email}>`,
      address: expect.stringMatching(/^10\.0\./u),
      detail: { sessionsEnded: 1 },
    });
  });

  it('clears the failed attempts of the same address', async () => {
    const person = await signUp(api);
    const browser = visitor(api);
    for (let n = 0; n < 5; n += 1) await login(person, 'a wrong guess', browser);
    expect((await login(person, password, browser)).statusCode).toBe(429);
    await reset(await linkFor(person), newPassword, browser);
    expect((await login(person, newPassword, browser)).statusCode).toBe(200);
  });

  it('does not bypass the second factor', async () => {
    const person = await signUp(api);
    await setUpSecondFactor(api, person);
    await reset(await linkFor(person));
    expect((await login(person, newPassword)).json<ErrorReply>().code).toBe('second_factor_needed');
  });
});
