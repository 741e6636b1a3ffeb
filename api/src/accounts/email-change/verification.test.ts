import type { ErrorReply, User } from '@riskboard/contract';
import { newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, setUpSecondFactor } from '../../testing/accounts/authenticator.ts';
import { invite } from '../../testing/accounts/invite.ts';
import { insertToken } from '../../testing/accounts/member.ts';
import { script } from '../../testing/accounts/script.ts';
import { loggedActions } from '../../testing/logged.ts';
import { freshEmail, password, type Person, signUp, visitor } from '../../testing/person.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { linkHash } from '../../lib/mail/link-token.ts';

let api: TestApi;
let withoutMailServer: TestApi;
beforeAll(async () => {
  api = await startApi({ verifyEmail: true });
  withoutMailServer = await startApi({}, { with: api });
});
afterAll(async () => {
  await withoutMailServer.close();
  await api.close();
});

const address = async (person: Person) =>
  (await person.get('/api/auth/email')).json<{ verified: boolean; verificationRequired: boolean }>();
const resend = (person: Person) => person.post('/api/auth/email/verify');
const begin = (person: Person) => person.post('/api/auth/second-factor/begin', { password });
const mailCount = async (person: Person): Promise<number> => {
  const { rows } = await sql`
    select id from outgoing_mail where kind = 'email-change' and email = ${person.user.email}`.execute(
    api.database.system,
  );
  return rows.length;
};

/** Stores the secret of the requested link, as the worker does when it mails the link. */
async function mailedLink(person: Person): Promise<string> {
  const token = newId();
  await sql`
    update email_change set token_hash = ${linkHash(token)} where account_id = ${person.user._id}`.execute(
    api.database.system,
  );
  return token;
}
const confirm = (token: string) => visitor(api).post('/api/auth/email/confirm', { token });

describe('the address of a new account', () => {
  it('is unconfirmed until the mailed link is used, once and without a session', async () => {
    const person = await signUp(api);
    expect(await address(person)).toEqual({
      email: person.user.email,
      verified: false,
      verificationRequired: true,
    });
    expect(await mailCount(person)).toBe(1);
    const token = await mailedLink(person);
    expect((await confirm(token)).json()).toEqual({ message: 'Your email address has been confirmed.' });
    expect(await address(person)).toMatchObject({ email: person.user.email, verified: true });
    expect((await confirm(token)).statusCode).toBe(422);
    const actions = await loggedActions(api, person.user.organizationId);
    expect(actions).toEqual(['account.signed-up', 'account.email-verified']);
  });

  it('gets another link on request, at most three in 15 minutes, and none when it is confirmed', async () => {
    const person = await signUp(api);
    expect((await resend(person)).statusCode).toBe(202);
    expect((await resend(person)).statusCode).toBe(202);
    expect((await resend(person)).statusCode).toBe(429);
    expect(await mailCount(person)).toBe(3);
    await confirm(await mailedLink(person));
    expect((await resend(person)).statusCode).toBe(409);
  });

  it('is not mailed and not required to be confirmed without a mail server', async () => {
    const person = await signUp(withoutMailServer);
    expect(await address(person)).toMatchObject({ verified: false, verificationRequired: false });
    expect(await mailCount(person)).toBe(0);
    await setUpSecondFactor(withoutMailServer, person);
  });

  it.each([
    [
      'the mailed link of an invitation',
      true,
      async (person: Person) => {
        const owner = await signUp(api);
        await invite(owner, person.user.email);
        const token = newId();
        await withOrganization(api.database, owner.user.organizationId, (trx) =>
          trx
            .updateTable('invitation')
            .set({ mail_hash: linkHash(token) })
            .execute(),
        );
        await person.post('/api/auth/invitation/accept', { token });
      },
    ],
    [
      'the link of an invitation that the inviter was shown',
      false,
      async (person: Person) => {
        const token = await invite(await signUp(api), person.user.email);
        await person.post('/api/auth/invitation/accept', { token });
      },
    ],
    [
      'the link of a password reset',
      true,
      async (person: Person) => {
        const token = newId();
        await sql`
          insert into password_reset (token_hash, account_id, expires_at)
          values (${linkHash(token)}, ${person.user._id}, now() + interval '1 minute')`.execute(
          api.database.system,
        );
        await visitor(api).post('/api/auth/reset-password', { token, password: 'a new one, long enough' });
      },
    ],
    [
      'the link to a new address',
      true,
      async (person: Person) => {
        await person.post('/api/auth/email', { email: freshEmail(), password });
        await confirm(await mailedLink(person));
      },
    ],
  ])('after %s is confirmed: %s', async (_link, expected, use) => {
    const person = await signUp(api);
    await use(person);
    const { email_verified_at } = await api.database.system
      .selectFrom('account')
      .select('email_verified_at')
      .where('id', '=', person.user._id)
      .executeTakeFirstOrThrow();
    expect(email_verified_at !== null).toBe(expected);
  });
});

describe('a second factor', () => {
  it('needs a confirmed address, so that it cannot lock out the owner of the address', async () => {
    const person = await signUp(api);
    expect((await begin(person)).json<ErrorReply>()).toMatchObject({
      statusCode: 403,
      code: 'email_unverified',
    });
    await confirm(await mailedLink(person));
    await setUpSecondFactor(api, person);
    expect((await person.get('/api/auth/me')).json<{ user: User }>().user.secondFactor).toBe(true);
  });

  it('that was begun without a mail server cannot be confirmed with one', async () => {
    const person = await signUp(withoutMailServer);
    const { secret } = (await begin(person)).json<{ secret: string }>();
    const here = visitor(api);
    for (const [name, value] of person.cookies) here.cookies.set(name, value);
    const answer = await here.post('/api/auth/second-factor/confirm', { code: codeOf(secret) });
    expect(answer.json<ErrorReply>().code).toBe('email_unverified');
  });
});

it('a password reset of an account that never confirmed its address always revokes its tokens', async () => {
  const person = await signUp(api);
  const member = { accountId: person.user._id, organizationId: person.user.organizationId };
  const apiToken = await insertToken(api, member, { role: 'owner' });
  const token = newId();
  await sql`
    insert into password_reset (token_hash, account_id, expires_at)
    values (${linkHash(token)}, ${person.user._id}, now() + interval '1 minute')`.execute(
    api.database.system,
  );
  const body = { token, password: 'a new one, long enough', revokeTokens: false };
  expect((await visitor(api).post('/api/auth/reset-password', body)).statusCode).toBe(202);
  expect((await script(api, apiToken)('GET', '/api/jobs')).statusCode).toBe(401);
});

it('invitations to one address are limited to three mails in 15 minutes, from all organizations together', async () => {
  const email = freshEmail();
  const send = async () => (await signUp(withoutMailServer)).post('/api/organization/invitations', { email });
  for (let n = 0; n < 4; n += 1) expect((await send()).statusCode).toBe(201);
  const mails = await api.database.system
    .selectFrom('outgoing_mail')
    .select('email')
    .where('email', '=', email)
    .execute();
  expect(mails).toHaveLength(3);
});
