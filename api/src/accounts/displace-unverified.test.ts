import type { ErrorReply, User } from '@riskboard/contract';
import { newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invite } from '../testing/accounts/invite.ts';
import { makeToken, script } from '../testing/accounts/script.ts';
import { type Answer, freshEmail, password, type Person, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { linkHash } from '../lib/mail/link-token.ts';

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

/** Stores the secret of a reset link, as the worker does when it mails the link. */
async function mailedReset(email: string): Promise<string> {
  const token = newId();
  await sql`
    insert into password_reset (token_hash, account_id, expires_at)
    select ${linkHash(token)}, id, now() + interval '10 minutes' from account where email = ${email}`.execute(
    api.database.system,
  );
  return token;
}

/** Stores the secret of a mailed invitation, as the worker does. */
async function mailedInvitation(owner: Person, email: string): Promise<string> {
  await invite(owner, email);
  const token = newId();
  await withOrganization(api.database, owner.user.organizationId, (trx) =>
    trx
      .updateTable('invitation')
      .set({ mail_hash: linkHash(token) })
      .where('email', '=', email)
      .execute(),
  );
  return token;
}

const verified = async (email: string): Promise<boolean> => {
  const account = await api.database.system
    .selectFrom('account')
    .select('email_verified_at')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return account.email_verified_at !== null;
};

interface Claimed {
  person: Person;
  answer: Answer;
}

async function claimBySignUp(email: string, body: object, at = api): Promise<Claimed> {
  const person = visitor(at);
  const answer = await person.post('/api/auth/signup', {
    email,
    password: 'the password of the owner',
    firstName: 'Victoria',
    ...body,
  });
  if (answer.statusCode === 201) person.user = answer.json<{ user: User }>().user;
  return { person, answer };
}

const memberships = async (person: Person) =>
  (await person.get('/api/auth/memberships'))
    .json<{ memberships: { organizationId: string }[] }>()
    .memberships.map(({ organizationId }) => organizationId);

describe('a claim of an address that its account never confirmed', () => {
  const claims: [string, (email: string) => Promise<Claimed>][] = [
    [
      'by the link of a reset mail',
      async (email) => claimBySignUp(email, { claim: await mailedReset(email) }),
    ],
    [
      'by the mailed link of an invitation',
      async (email) => claimBySignUp(email, { invitation: await mailedInvitation(await signUp(api), email) }),
    ],
    [
      'by the link of a change of address',
      async (email) => {
        const person = await signUp(api);
        const token = newId();
        await sql`
          insert into email_change (account_id, email, token_hash, expires_at)
          values (${person.user._id}, ${email}, ${linkHash(token)}, now() + interval '1 hour')
          on conflict (account_id) do update set email = excluded.email, token_hash = excluded.token_hash`.execute(
          api.database.system,
        );
        return { person, answer: await visitor(api).post('/api/auth/email/confirm', { token }) };
      },
    ],
  ];

  it.each(claims)(
    '%s gives the address, and nothing of the other account, to the claimant',
    async (_how, claim) => {
      const email = freshEmail();
      const squatter = await signUp(api, { email });
      const { token } = await makeToken(squatter, { role: 'owner' });
      const { person, answer } = await claim(email);
      expect(answer.statusCode).toBeLessThan(300);
      expect((await person.get('/api/auth/me')).json<{ user: User }>().user.email).toBe(email);
      expect(await memberships(person)).not.toContain(squatter.user.organizationId);
      expect(await verified(email)).toBe(true);

      // The other account keeps what it created, under an address that no one owns.
      const { user } = (await squatter.get('/api/auth/me')).json<{ user: User }>();
      expect(user).toMatchObject({ _id: squatter.user._id, organizationId: squatter.user.organizationId });
      expect(user.email).toMatch(/^unverified-[\w-]+@displaced\.invalid$/u);
      expect(await memberships(squatter)).toEqual([squatter.user.organizationId]);
      expect((await script(api, token)('GET', '/api/jobs')).statusCode).toBe(200);
      const login = await visitor(api).post('/api/auth/login', { email, password });
      expect(login.json<{ user?: User }>().user?._id).not.toBe(squatter.user._id);
    },
  );

  it('ends the memberships that the account got by invitations to the address', async () => {
    const email = freshEmail();
    const owner = await signUp(api);
    const squatter = await signUp(api, { email });
    const shown = await invite(owner, email);
    expect((await squatter.post('/api/auth/invitation/accept', { token: shown })).statusCode).toBe(200);
    expect(await memberships(squatter)).toHaveLength(2);
    const { answer } = await claimBySignUp(email, { claim: await mailedReset(email) });
    expect(answer.statusCode).toBe(201);
    expect((await squatter.get('/api/auth/me')).statusCode).toBe(401);
    const { members } = (await owner.get('/api/organization/members')).json<{ members: { _id: string }[] }>();
    expect(members.map(({ _id }) => _id)).toEqual([owner.user._id]);
  });

  it('leaves an organization its last owner', async () => {
    const email = freshEmail();
    const owner = await signUp(api);
    const squatter = await signUp(api, { email });
    await squatter.post('/api/auth/invitation/accept', { token: await invite(owner, email) });
    const transfer = { accountId: squatter.user._id, password };
    expect((await owner.post('/api/organization/hand-over', transfer)).statusCode).toBe(200);
    await claimBySignUp(email, { claim: await mailedReset(email) });
    expect((await squatter.get('/api/organization/members')).statusCode).toBe(200);
  });

  it('ends other links that were mailed to the address, and works once', async () => {
    const email = freshEmail();
    await signUp(api, { email });
    const [first, second] = [await mailedReset(email), await mailedReset(email)];
    const answers = await Promise.all([
      claimBySignUp(email, { claim: first }),
      claimBySignUp(email, { claim: first }),
    ]);
    expect(answers.filter(({ answer }) => answer.statusCode === 201)).toHaveLength(1);
    expect((await claimBySignUp(email, { claim: second })).answer.statusCode).toBe(422);
    const reset = { token: second, password: 'the password of a third' };
    expect((await visitor(api).post('/api/auth/reset-password', reset)).statusCode).toBe(422);
  });

  it('also takes the address from an account with a second factor', async () => {
    const email = freshEmail();
    await signUp(api, { email });
    await sql`
      update account set totp_secret = 'sealed', totp_enabled_at = now() where email = ${email}`.execute(
      api.database.system,
    );
    const { person } = await claimBySignUp(email, { claim: await mailedReset(email) });
    expect(person.user).toMatchObject({ email, secondFactor: false });
  });
});

describe('an address is not claimed', () => {
  it.each([
    ['without a mailed link', async () => ({})],
    [
      'with the link of an invitation that the inviter was shown',
      async (email: string) => ({
        invitation: await invite(await signUp(api), email),
      }),
    ],
  ])('%s', async (_how, body) => {
    const email = freshEmail();
    const squatter = await signUp(api, { email });
    expect((await claimBySignUp(email, await body(email))).answer.statusCode).toBe(409);
    expect((await squatter.get('/api/auth/me')).json<{ user: User }>().user.email).toBe(email);
  });

  it('with a link for another address', async () => {
    const [email, own] = [freshEmail(), freshEmail()];
    await signUp(api, { email });
    await signUp(api, { email: own });
    const { answer } = await claimBySignUp(email, { claim: await mailedReset(own) });
    expect(answer.json<ErrorReply>().details?.map(({ path }) => path)).toEqual(['claim']);
  });

  it('when the account has confirmed it', async () => {
    const email = freshEmail();
    const person = await signUp(api, { email });
    await sql`update account set email_verified_at = now() where email = ${email}`.execute(
      api.database.system,
    );
    expect((await claimBySignUp(email, { claim: await mailedReset(email) })).answer.statusCode).toBe(422);
    const invitation = await mailedInvitation(await signUp(api), email);
    expect((await claimBySignUp(email, { invitation })).answer.statusCode).toBe(409);
    expect((await person.get('/api/auth/me')).json<{ user: User }>().user.email).toBe(email);
  });

  it('without a mail server', async () => {
    const email = freshEmail();
    const person = await signUp(withoutMailServer, { email });
    for (const body of [
      { claim: await mailedReset(email) },
      { invitation: await mailedInvitation(await signUp(withoutMailServer), email) },
    ])
      expect((await claimBySignUp(email, body, withoutMailServer)).answer.statusCode).toBe(409);
    expect((await person.get('/api/auth/me')).json<{ user: User }>().user.email).toBe(email);
  });
});
