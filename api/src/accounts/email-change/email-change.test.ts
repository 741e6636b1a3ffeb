import { createHash, randomBytes } from 'node:crypto';
import { type ErrorReply, eventTopic, type User } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atTheSameMoment } from '../../testing/accounts/held-account.ts';
import { invite } from '../../testing/accounts/invite.ts';
import { logged, loggedActions } from '../../testing/logged.ts';
import { freshEmail, password, type Person, signUp, visitor } from '../../testing/person.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const requestChange = (person: Person, email: string, secret = password) =>
  person.post('/api/auth/email', { email, password: secret });
const confirm = (token: string, browser = visitor(api)) => browser.post('/api/auth/email/confirm', { token });
const login = (email: string, secret = password) =>
  visitor(api).post('/api/auth/login', { email, password: secret });
const addressOf = async (person: Person) =>
  (await person.get('/api/auth/me')).json<{ user: User }>().user.email;

const mailsAbout = async (...emails: string[]) => {
  const { rows } = await sql`
    select kind, email::text, subject_id as about, detail from outgoing_mail
    where email = any(${emails}::text[]::citext[]) order by created_at, id`.execute(api.database.system);
  return rows;
};

/** The link of the mail, as the mail sender makes it. */
async function linkFor(person: Person): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const { numUpdatedRows } = await api.database.system
    .updateTable('email_change')
    .set({ token_hash: createHash('sha256').update(token).digest() })
    .where('account_id', '=', person.user._id)
    .executeTakeFirst();
  expect(numUpdatedRows).toBe(1n);
  return token;
}

/** Requests a change of address and opens the mail. @returns the token of the link */
async function requestLink(person: Person, email: string): Promise<string> {
  expect((await requestChange(person, email)).statusCode).toBe(202);
  return linkFor(person);
}

const spent = {
  code: 'invalid',
  statusCode: 422,
  details: [{ path: 'token', message: 'This link is no longer valid. Request a new one.' }],
};

describe('requesting another email address', () => {
  it('mails a link to the new address and a notice to the old one, and changes nothing yet', async () => {
    const [person, email] = [await signUp(api), freshEmail()];
    const answer = await requestChange(person, email);
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({
      message: 'We sent a confirmation link to the new address. Your address changes when you open it.',
    });
    expect(await mailsAbout(email, person.user.email)).toEqual([
      { kind: 'email-change', email, about: person.user._id, detail: '' },
      { kind: 'account-changed', email: person.user.email, about: null, detail: 'email-asked' },
    ]);
    expect(await addressOf(person)).toBe(person.user.email);
    expect((await login(email)).statusCode).toBe(401);
    expect(await loggedActions(api, person.user.organizationId)).toEqual([
      'account.signed-up',
      'account.email-asked',
    ]);
  });

  it('gives the same reply and mails when the new address already has an account', async () => {
    const [person, known] = [await signUp(api), await signUp(api)];
    const [free, taken] = [
      await requestChange(person, freshEmail()),
      await requestChange(person, known.user.email),
    ];
    expect([taken.statusCode, taken.body]).toEqual([free.statusCode, free.body]);
    expect(await mailsAbout(known.user.email)).toMatchObject([{ kind: 'email-change' }]);
    expect(await addressOf(known)).toBe(known.user.email);
  });

  it('refuses a wrong password, which counts as a failed login', async () => {
    const [person, email] = [await signUp(api), freshEmail()];
    for (let n = 0; n < 5; n += 1) {
      const answer = await requestChange(person, email, 'a wrong guess');
      expect(answer.json<ErrorReply>()).toMatchObject({ statusCode: 403, code: 'wrong_password' });
    }
    expect((await requestChange(person, email)).statusCode).toBe(429);
    expect(await mailsAbout(email)).toEqual([]);
  });

  it.each([
    ['an invalid address', () => 'nobody', 'Enter a valid email address.'],
    [
      'the current address',
      (person: Person) => person.user.email.toUpperCase(),
      'This is already your email address.',
    ],
  ])('refuses %s', async (_what, email, message) => {
    const person = await signUp(api);
    const answer = await requestChange(person, email(person));
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details).toEqual([{ path: 'email', message }]);
  });

  it('is limited to three mails in 15 minutes, per account and per address', async () => {
    const [person, email] = [await signUp(api), freshEmail()];
    for (const address of [email, email, freshEmail()])
      expect((await requestChange(person, address)).statusCode).toBe(202);
    const answer = await requestChange(person, freshEmail());
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '900']);
    const other = await signUp(api);
    expect((await requestChange(other, email.toUpperCase())).statusCode).toBe(202);
    expect((await requestChange(other, email)).statusCode).toBe(429);
    expect(await mailsAbout(email)).toHaveLength(3);
  });
});

describe('the mailed link of an email change', () => {
  it('changes the address without a session; only the new address can sign in', async () => {
    const [person, email] = [await signUp(api), freshEmail()];
    const answer = await confirm(await requestLink(person, email));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      message: 'Your email address has been changed. Use it the next time you log in.',
    });
    expect(answer.cookies).toEqual([]);
    expect(await addressOf(person)).toBe(email);
    expect((await login(email)).statusCode).toBe(200);
    expect((await login(person.user.email)).statusCode).toBe(401);
  });

  it('notifies the old address, records the change with before and after, and publishes it', async () => {
    const [person, owner, email] = [await signUp(api), await signUp(api), freshEmail()];
    const invitation = await invite(owner, person.user.email);
    await visitor(api).post('/api/auth/login', { email: person.user.email, password, invitation });
    await confirm(await requestLink(person, email));
    expect((await mailsAbout(person.user.email)).at(-1)).toEqual({
      kind: 'account-changed',
      email: person.user.email,
      about: person.user._id,
      detail: 'email',
    });
    for (const { user } of [person, owner]) {
      expect((await logged(api, user.organizationId)).at(-1)).toMatchObject({
        action: 'account.email-changed',
        account_id: person.user._id,
        actor: `Ada <${person.user.email}>`,
        address: expect.stringMatching(/^10\.0\./u),
        detail: { changes: { email: { from: person.user.email, to: email } } },
      });
      expect(api.relay.published).toContainEqual({
        topic: eventTopic(user.organizationId),
        message: expect.objectContaining({ type: 'organization.changed' }) as unknown,
      });
    }
  });

  it('works once, even when used twenty times at once', async () => {
    const [person, email] = [await signUp(api), freshEmail()];
    const token = await requestLink(person, email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(token)));
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    for (const answer of answers.filter((one) => one.statusCode !== 200))
      expect(answer.json()).toMatchObject(spent);
  });

  it('works for sixty minutes', async () => {
    const person = await signUp(api);
    const token = await requestLink(person, freshEmail());
    const { rows } = await sql`
      select round(extract(epoch from expires_at - now()) / 60)::int as minutes from email_change
      where account_id = ${person.user._id}`.execute(api.database.system);
    expect(rows).toEqual([{ minutes: 60 }]);
    await sql`update email_change set expires_at = now() where account_id = ${person.user._id}`.execute(
      api.database.system,
    );
    expect((await confirm(token)).json()).toMatchObject(spent);
    expect(await addressOf(person)).toBe(person.user.email);
  });

  it('is replaced by the next requested link, and does not work before its mail is written', async () => {
    const [person, email] = [await signUp(api), freshEmail()];
    const first = await requestLink(person, freshEmail());
    await requestChange(person, email);
    for (const token of [first, '', 'x', '\u0000', randomBytes(32).toString('base64url')])
      expect((await confirm(token)).statusCode).toBe(422);
    expect((await confirm(await linkFor(person))).statusCode).toBe(200);
    expect(await addressOf(person)).toBe(email);
  });

  it('ends when the password changes', async () => {
    const person = await signUp(api);
    const token = await requestLink(person, freshEmail());
    await person.post('/api/auth/password', { current: password, password: 'another one, long enough' });
    expect((await confirm(token)).json()).toMatchObject(spent);
  });

  it('waits for a concurrent password change without a deadlock', async () => {
    const person = await signUp(api);
    const token = await requestLink(person, freshEmail());
    const change = { current: password, password: 'another one, long enough' };
    const answers = await atTheSameMoment(api, person.user._id, [
      () => person.post('/api/auth/password', change),
      () => confirm(token),
    ]);
    expect(answers[0]?.statusCode).toBe(200);
    expect([200, 422]).toContain(answers[1]?.statusCode);
  });

  it('deletes the reset links mailed to the old address', async () => {
    const [person, reset] = [await signUp(api), randomBytes(32).toString('base64url')];
    await api.database.system
      .insertInto('password_reset')
      .values({
        token_hash: createHash('sha256').update(reset).digest(),
        account_id: person.user._id,
        expires_at: sql`now() + interval '10 minutes'`,
      })
      .execute();
    await confirm(await requestLink(person, freshEmail()));
    const answer = await visitor(api).post('/api/auth/reset-password', {
      token: reset,
      password: 'the old mailbox wants in',
    });
    expect(answer.json()).toMatchObject(spent);
  });

  it('is 409 when another account has the address by now, and changes neither account', async () => {
    const [person, email] = [await signUp(api), freshEmail()];
    const token = await requestLink(person, email);
    const quicker = await signUp(api, { email });
    expect((await confirm(token)).json()).toMatchObject({ statusCode: 409, code: 'conflict' });
    expect(await addressOf(person)).toBe(person.user.email);
    expect(await addressOf(quicker)).toBe(email);
  });

  it('can take the address of an account without an organization', async () => {
    const [person, former] = [await signUp(api), await signUp(api)];
    await sql`delete from membership where account_id = ${former.user._id}`.execute(api.database.system);
    expect((await confirm(await requestLink(person, former.user.email))).statusCode).toBe(200);
    expect(await addressOf(person)).toBe(former.user.email);
  });
});
