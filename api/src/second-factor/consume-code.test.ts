import type { ErrorReply, User } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, earlyInStep, setUpSecondFactor } from '../testing/accounts/authenticator.ts';
import { logged } from '../testing/logged.ts';
import { type Answer, password, type Person, signUp, visitor } from '../testing/person.ts';
import { sessionSecret, startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const login = (person: Person, more: object = {}, browser = visitor(api)) =>
  browser.post('/api/auth/login', { email: person.user.email, password, ...more });
const codeIn = (answer: Answer) => answer.json<ErrorReply>().code;

/** A person with a second factor whose codes are unused. */
async function withSecondFactor() {
  await earlyInStep();
  const person = await signUp(api);
  const app = await setUpSecondFactor(api, person);
  await app.fresh();
  return { person, app };
}

describe('signing in with a second factor', () => {
  it('requires the code only after a correct password', async () => {
    const { person, app } = await withSecondFactor();
    const withoutCode = await login(person);
    expect(withoutCode.statusCode).toBe(401);
    expect(codeIn(withoutCode)).toBe('second_factor_needed');
    expect(withoutCode.cookies).toEqual([]);
    expect(codeIn(await login(person, { code: ' ' }))).toBe('second_factor_needed');
    for (const code of [undefined, '000000', app.code()]) {
      const answer = await login(person, { password: 'a wrong guess', ...(code ? { code } : {}) });
      expect(answer.json<ErrorReply>()).toMatchObject({
        code: 'invalid_credentials',
        message: 'Invalid credentials, please try again.',
      });
    }
    const answer = await login(person, { code: ` ${app.code().replace(/^.../u, '$& ')}` });
    expect(answer.json<{ user: User }>().user).toEqual({ ...person.user, secondFactor: true });
  });

  it('accepts a code one step early or late, but not two', async () => {
    const { person, app } = await withSecondFactor();
    for (const steps of [-2, 2, 20])
      expect((await login(person, { code: app.code(steps) })).statusCode).toBe(401);
    for (const steps of [-1, 0, 1])
      expect((await login(person, { code: app.code(steps) })).statusCode).toBe(200);
  });

  it('accepts a code once, even five times at once, and no earlier code after it', async () => {
    const { person, app } = await withSecondFactor();
    const code = app.code();
    const answers = await Promise.all(Array.from({ length: 5 }, () => login(person, { code })));
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    const again = await login(person, { code });
    expect(again.json<ErrorReply>()).toMatchObject({
      statusCode: 401,
      code: 'invalid_credentials',
      message: 'Invalid code. Enter the next one from your app.',
    });
    expect((await login(person, { code: app.code(-1) })).statusCode).toBe(401);
    expect((await login(person, { code: app.code(1) })).statusCode).toBe(200);
  });

  it('does not accept the code that enabled it', async () => {
    await earlyInStep();
    const person = await signUp(api);
    const app = await setUpSecondFactor(api, person);
    expect((await login(person, { code: app.code() })).statusCode).toBe(401);
    expect((await login(person, { code: app.code(1) })).statusCode).toBe(200);
  });

  it("does not accept another person's code", async () => {
    const [one, two] = [await withSecondFactor(), await withSecondFactor()];
    expect((await login(one.person, { code: two.app.code() })).statusCode).toBe(401);
    expect((await login(one.person, { code: two.app.recoveryCodes[0] })).statusCode).toBe(401);
  });

  it('counts wrong codes like wrong passwords, and a correct password alone does not clear them', async () => {
    const { person, app } = await withSecondFactor();
    const browser = visitor(api);
    for (let n = 0; n < 5; n += 1) {
      expect(codeIn(await login(person, { code: app.code(20 + n) }, browser))).toBe('invalid_credentials');
      if (n < 4) expect(codeIn(await login(person, {}, browser))).toBe('second_factor_needed');
    }
    expect((await login(person, { code: app.code() }, browser)).statusCode).toBe(429);
    expect((await login(person, { code: app.code() })).statusCode).toBe(200);
    const failed = (await logged(api, person.user.organizationId)).filter(
      (entry) => entry.action === 'account.sign-in-failed',
    );
    expect(failed).toHaveLength(5);
  });

  it('does not consume the code when the invitation is invalid', async () => {
    const { person, app } = await withSecondFactor();
    const code = app.code();
    expect((await login(person, { code, invitation: 'unknown-invitation' })).statusCode).toBe(404);
    expect((await login(person, { code })).statusCode).toBe(200);
  });

  it('ignores a code for an account without a second factor', async () => {
    const person = await signUp(api);
    expect((await login(person, { code: '000000' })).statusCode).toBe(200);
  });
});

describe('a recovery code', () => {
  it('works once instead of a code, in any case and grouping, is notified and recorded', async () => {
    const { person, app } = await withSecondFactor();
    const [first = '', second = ''] = app.recoveryCodes;
    const answers = await Promise.all(Array.from({ length: 5 }, () => login(person, { code: first })));
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    expect((await login(person, { code: second.toLowerCase().replaceAll('-', ' ') })).statusCode).toBe(200);
    const { rows } = await sql`
      select detail from outgoing_mail where email = ${person.user.email} order by id offset 1`.execute(
      api.database.system,
    );
    expect(rows).toEqual([{ detail: 'recovery-code-used' }, { detail: 'recovery-code-used' }]);
    const used = (await logged(api, person.user.organizationId)).filter(
      (entry) => entry.action === 'account.recovery-code-used',
    );
    expect(used.map((entry) => entry.detail)).toEqual([{ left: 9 }, { left: 8 }]);
    expect(used[0]).toMatchObject({ account_id: person.user._id, noun: 'accounts' });
  });

  it('that does not exist is a wrong code', async () => {
    const { person } = await withSecondFactor();
    for (const code of ['AAAA-AAAA-AAAA-AAAA', '1234567', '------'])
      expect(codeIn(await login(person, { code }))).toBe('invalid_credentials');
  });
});

describe('when the session secret changes', () => {
  it('a secret is decrypted with the previous one, and encrypted again when used', async () => {
    const { person, app } = await withSecondFactor();
    const next = 'the secret that comes after, long enough to sign with';
    const rotated = await startApi({ sessionSecret: next, previousSecret: sessionSecret }, { with: api });
    const later = await startApi({ sessionSecret: next }, { with: api });
    const enter = (where: TestApi, code: string) =>
      visitor(where).post('/api/auth/login', { email: person.user.email, password, code });
    expect((await enter(later, codeOf(app.secret, -1))).statusCode).toBe(401);
    expect((await enter(rotated, codeOf(app.secret))).statusCode).toBe(200);
    expect((await enter(later, codeOf(app.secret, 1))).statusCode).toBe(200);
    await rotated.close();
    await later.close();
  });

  it('recovery codes still work when the secret cannot be decrypted', async () => {
    const { person, app } = await withSecondFactor();
    const later = await startApi({ sessionSecret: 'another session secret of 40 characters' }, { with: api });
    const answer = await visitor(later).post('/api/auth/login', {
      email: person.user.email,
      password,
      code: app.recoveryCodes[0],
    });
    expect(answer.statusCode).toBe(200);
    await later.close();
  });
});
