import { sessionEndedTopic, type ErrorReply } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, setUpSecondFactor } from '../testing/accounts/authenticator.ts';
import { atTheSameMoment } from '../testing/accounts/held-account.ts';
import { loggedActions } from '../testing/logged.ts';
import {
  type Answer,
  copyOf,
  freshEmail,
  password,
  type Person,
  signUp,
  visitor,
} from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const begin = (person: Person, secret = password, code?: string) =>
  person.post('/api/auth/second-factor/begin', { password: secret, code });
const confirm = (person: Person, code: string) => person.post('/api/auth/second-factor/confirm', { code });
const state = async (person: Person) => (await person.get('/api/auth/second-factor')).json<object>();
const renew = (person: Person, secret = password, code?: string) =>
  person.post('/api/auth/second-factor/recovery-codes', { password: secret, code });
const disable = (person: Person, secret = password, code?: string) =>
  person.post('/api/auth/second-factor/disable', { password: secret, code });
const off = { enabled: false, enabledAt: null, recoveryCodesLeft: 0, required: false };
const login = (person: Person, more: object = {}) =>
  visitor(api).post('/api/auth/login', { email: person.user.email, password, ...more });
const mailed = async (person: Person) => {
  const { rows } = await sql<{ detail: string }>`
    select detail from outgoing_mail where email = ${person.user.email} and kind = 'account-changed' order by id`.execute(
    api.database.system,
  );
  return rows.map((row) => row.detail);
};
const required = (person: Person, is: boolean) =>
  sql`
    update organization set require_second_factor = ${is}
    where organization_id = ${person.user.organizationId}`.execute(api.database.system);

/** Checks that a change ends copies of the cookies and publishes their end, while the browser that made it goes on. */
async function expectCopiesToEnd(person: Person, change: () => Promise<void>): Promise<void> {
  const [copy, refreshing] = [copyOf(api, person), copyOf(api, person)];
  const [session] = (await copy.get('/api/auth/sessions')).json<{ sessions: { _id: string }[] }>().sessions;
  await change();
  expect((await copy.get('/api/auth/me')).statusCode).toBe(401);
  expect((await refreshing.post('/api/auth/refresh')).statusCode).toBe(401);
  expect((await person.get('/api/auth/me')).statusCode).toBe(200);
  expect((await person.post('/api/auth/refresh')).statusCode).toBe(200);
  expect(api.relay.published.map(({ topic }) => topic)).toContain(sessionEndedTopic(session?._id ?? ''));
}

describe('setting up a second factor', () => {
  it('changes nothing before the first code is confirmed', async () => {
    const person = await signUp(api);
    const answer = await begin(person);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/u) });
    expect(answer.json<{ uri: string }>().uri).toContain(encodeURIComponent(person.user.email));
    expect(await state(person)).toEqual(off);
    expect((await login(person)).statusCode).toBe(200);
  });

  it('returns ten recovery codes once and stores their hashes', async () => {
    const person = await signUp(api);
    const { recoveryCodes, secret } = await setUpSecondFactor(api, person);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/u);
    expect(await state(person)).toEqual({
      ...off,
      enabled: true,
      enabledAt: expect.any(String),
      recoveryCodesLeft: 10,
    });
    expect((await person.get('/api/auth/me')).json()).toMatchObject({ user: { secondFactor: true } });
    const { rows } = await sql<{ kept: string }>`
      select encode(totp_secret, 'escape') || coalesce(encode(totp_pending, 'escape'), '') ||
        (select string_agg(encode(code_hash, 'escape'), '') from recovery_code where account_id = id) as kept
      from account where id = ${person.user._id}`.execute(api.database.system);
    for (const shown of [secret, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(rows[0]?.kept).not.toContain(shown);
  });

  it('ends every other session, is notified by mail and recorded', async () => {
    const person = await signUp(api);
    const other = visitor(api);
    await other.post('/api/auth/login', { email: person.user.email, password });
    await setUpSecondFactor(api, person);
    expect((await other.get('/api/auth/me')).statusCode).toBe(401);
    expect((await person.get('/api/auth/me')).statusCode).toBe(200);
    expect(api.relay.published.some(({ topic }) => topic.startsWith('session.'))).toBe(true);
    expect(await mailed(person)).toEqual(['second-factor-enabled']);
    expect(await loggedActions(api, person.user.organizationId)).toContain('account.second-factor-enabled');
  });

  it('ends copies of the cookies, and the browser goes on', async () => {
    const person = await signUp(api);
    await expectCopiesToEnd(person, async () => void (await setUpSecondFactor(api, person)));
    expect(await state(person)).toMatchObject({ enabled: true });
  });

  it('refuses a wrong code and accepts the correct one afterwards', async () => {
    const person = await signUp(api);
    const { secret } = (await begin(person)).json<{ secret: string }>();
    const answer = await confirm(person, codeOf(secret, 20));
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details).toEqual([
      { path: 'code', message: 'Invalid code. Enter the next one from your app.' },
    ]);
    expect(await state(person)).toEqual(off);
    expect((await confirm(person, codeOf(secret))).statusCode).toBe(200);
  });

  it('can be confirmed once, and only after it was started', async () => {
    const person = await signUp(api);
    expect((await confirm(person, '123456')).statusCode).toBe(409);
    const { secret } = (await begin(person)).json<{ secret: string }>();
    const once = () => confirm(person, codeOf(secret));
    const answers = await atTheSameMoment(api, person.user._id, [once, once]);
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.statusCode === 409)).toHaveLength(1);
  });

  it('requires the password, under the limits of signing in', async () => {
    const person = await signUp(api);
    for (let n = 0; n < 5; n += 1)
      expect((await begin(person, 'a wrong guess')).json<ErrorReply>().code).toBe('wrong_password');
    expect((await begin(person)).statusCode).toBe(429);
  });

  it('keeps the old secret valid until a new one is confirmed', async () => {
    const person = await signUp(api);
    const old = await setUpSecondFactor(api, person);
    const { secret } = (await begin(person, password, await old.fresh())).json<{ secret: string }>();
    expect((await login(person, { code: await old.fresh() })).statusCode).toBe(200);
    const { recoveryCodes } = (await confirm(person, codeOf(secret))).json<{ recoveryCodes: string[] }>();
    expect((await login(person, { code: await old.fresh() })).statusCode).toBe(401);
    expect((await login(person, { code: old.recoveryCodes[0] })).statusCode).toBe(401);
    expect((await login(person, { code: recoveryCodes[0] })).statusCode).toBe(200);
  });
});

describe('renewing recovery codes', () => {
  it('replaces the old ones, is notified by mail and recorded', async () => {
    const person = await signUp(api);
    const before = await setUpSecondFactor(api, person);
    const renewed = await renew(person, password, await before.fresh());
    const { recoveryCodes } = renewed.json<{ recoveryCodes: string[] }>();
    expect(recoveryCodes).toHaveLength(10);
    expect(await state(person)).toMatchObject({ recoveryCodesLeft: 10 });
    expect((await login(person, { code: before.recoveryCodes[0] })).statusCode).toBe(401);
    expect((await login(person, { code: recoveryCodes[0] })).statusCode).toBe(200);
    expect(await mailed(person)).toContain('recovery-codes-renewed');
    expect(await loggedActions(api, person.user.organizationId)).toContain('account.recovery-codes-renewed');
  });

  it('requires the password and a second factor', async () => {
    const person = await signUp(api);
    expect((await renew(person)).statusCode).toBe(409);
    await setUpSecondFactor(api, person);
    expect((await renew(person, 'a wrong guess')).statusCode).toBe(403);
    expect(await state(person)).toMatchObject({ recoveryCodesLeft: 10 });
  });
});

describe('disabling a second factor', () => {
  it('removes it with its recovery codes, is notified by mail and recorded', async () => {
    const person = await signUp(api);
    const app = await setUpSecondFactor(api, person);
    await begin(person, password, await app.fresh());
    expect((await disable(person, password, await app.fresh())).json()).toEqual({ success: true });
    expect(await state(person)).toEqual(off);
    expect((await login(person)).statusCode).toBe(200);
    const { rows } = await sql`
      select totp_secret, totp_last_step, totp_pending from account where id = ${person.user._id}`.execute(
      api.database.system,
    );
    expect(rows).toEqual([{ totp_secret: null, totp_last_step: null, totp_pending: null }]);
    expect(await mailed(person)).toEqual(['second-factor-enabled', 'second-factor-disabled']);
    expect(await loggedActions(api, person.user.organizationId)).toContain('account.second-factor-disabled');
  });

  it('ends copies of the cookies, and the browser and other sessions go on', async () => {
    const person = await signUp(api);
    const app = await setUpSecondFactor(api, person);
    const other = visitor(api);
    await other.post('/api/auth/login', { email: person.user.email, password, code: await app.fresh() });
    await expectCopiesToEnd(person, async () => {
      expect((await disable(person, password, await app.fresh())).statusCode).toBe(200);
    });
    expect((await other.get('/api/auth/me')).statusCode).toBe(200);
  });

  it('is refused while any organization of the person requires it', async () => {
    const [person, owner] = [await signUp(api), await signUp(api)];
    const app = await setUpSecondFactor(api, person);
    await sql`
      insert into membership (organization_id, account_id, role)
      values (${owner.user.organizationId}, ${person.user._id}, 'viewer')`.execute(api.database.system);
    for (const strict of [owner, person]) {
      await required(strict, true);
      expect(await state(person)).toMatchObject({ required: true });
      const answer = await disable(person, password, await app.fresh());
      expect(answer.statusCode).toBe(409);
      expect(answer.json<ErrorReply>().message).toBe('One of your organizations requires a second factor.');
      expect(await state(person)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
      await required(strict, false);
    }
    expect((await disable(person, password, await app.fresh())).statusCode).toBe(200);
  });

  it('requires the password', async () => {
    const person = await signUp(api);
    await setUpSecondFactor(api, person);
    expect((await disable(person, 'a wrong guess')).json<ErrorReply>().code).toBe('wrong_password');
    expect(await state(person)).toMatchObject({ enabled: true });
  });

  it('does nothing and sends no mail when it is disabled already', async () => {
    const person = await signUp(api);
    const answer = await disable(person);
    expect([answer.statusCode, answer.cookies]).toEqual([200, []]);
    expect(await mailed(person)).toEqual([]);
    expect(await loggedActions(api, person.user.organizationId)).toEqual(['account.signed-up']);
  });
});

describe('a member without a required second factor', () => {
  it('can set it up and then use the organization', async () => {
    const person = await signUp(api);
    await required(person, true);
    expect((await person.get('/api/jobs')).json<ErrorReply>().code).toBe('second_factor_required');
    expect((await person.get('/api/auth/me')).json()).toMatchObject({
      user: { secondFactor: false, secondFactorRequired: true },
    });
    await setUpSecondFactor(api, person);
    expect((await person.get('/api/jobs')).statusCode).toBe(200);
  });
});

describe('with a second factor, a code is needed in addition to the password', () => {
  const newPassword = 'a new one that is long enough';
  const changes: [string, (person: Person, code?: string) => Promise<Answer>][] = [
    ['to replace it', (person, code) => begin(person, password, code)],
    ['to renew the recovery codes', (person, code) => renew(person, password, code)],
    ['to turn it off', (person, code) => disable(person, password, code)],
    [
      'to change the password',
      (person, code) => person.post('/api/auth/password', { current: password, password: newPassword, code }),
    ],
    [
      'to change the email address',
      (person, code) => person.post('/api/auth/email', { email: freshEmail(), password, code }),
    ],
  ];

  it.each(changes)('%s', async (_what, change) => {
    const person = await signUp(api);
    const app = await setUpSecondFactor(api, person);
    const without = await change(person);
    expect(without.statusCode).toBe(422);
    expect(without.json<ErrorReply>().details?.map(({ path }) => path)).toEqual(['code']);
    const wrong = await change(person, app.code(20));
    expect(wrong.json<ErrorReply>()).toMatchObject({
      statusCode: 403,
      code: 'wrong_code',
      details: [{ path: 'code', message: 'Invalid code. Enter the next one from your app.' }],
    });
    expect(await state(person)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
    expect((await change(person, await app.fresh())).statusCode).toBeLessThan(300);
  });

  it('and a recovery code is accepted once', async () => {
    const person = await signUp(api);
    const { recoveryCodes } = await setUpSecondFactor(api, person);
    expect((await begin(person, password, recoveryCodes[0])).statusCode).toBe(201);
    expect((await begin(person, password, recoveryCodes[0])).json<ErrorReply>().code).toBe('wrong_code');
    expect((await disable(person, password, recoveryCodes[1])).statusCode).toBe(200);
  });
});
