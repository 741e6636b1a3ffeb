import { type ErrorReply, eventTopic, type User } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invite } from '../testing/accounts/invite.ts';
import { loggedActions } from '../testing/logged.ts';
import { freshEmail, password, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const person = (email: string) => ({ email, password, firstName: 'Ada' });
const cookieOf = (answer: { cookies: { name: string }[] }, name: string) =>
  answer.cookies.find((cookie) => cookie.name === name);

describe('sign-up', () => {
  it('creates an account, an organization without a name and a session', async () => {
    const browser = visitor(api);
    const answer = await browser.post('/api/auth/signup', person('Ada@Example.org'));
    expect(answer.statusCode).toBe(201);
    const { user } = answer.json<{ user: User }>();
    expect(user).toMatchObject({ email: 'Ada@Example.org', organization: '', lastName: '', role: 'owner' });
    expect((await browser.get('/api/auth/me')).json()).toEqual({ user });
  });

  it('sets HttpOnly and SameSite=Lax cookies', async () => {
    const answer = await visitor(api).post('/api/auth/signup', person(freshEmail()));
    expect(cookieOf(answer, 'rb_session')).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(cookieOf(answer, 'rb_session')).not.toHaveProperty('secure');
    expect(cookieOf(answer, 'rb_refresh')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      path: '/api/auth',
    });
  });

  it('sets __Host- and Secure on https', async () => {
    const secure = await startApi({ secureCookies: true, appOrigins: ['http://localhost:3000'] });
    const browser = visitor(secure);
    const answer = await browser.post('/api/auth/signup', person(freshEmail()));
    const session = cookieOf(answer, '__Host-rb_session');
    expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    expect(session).not.toHaveProperty('domain');
    expect(cookieOf(answer, '__Secure-rb_refresh')).toMatchObject({ httpOnly: true, secure: true });
    expect((await browser.get('/api/auth/me')).statusCode).toBe(200);
    expect(answer.headers['strict-transport-security']).toMatch(/max-age=31536000/u);
    await secure.close();
  });

  it('refuses a known address in any case, and nineteen of twenty concurrent sign-ups', async () => {
    const email = freshEmail();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        visitor(api).post('/api/auth/signup', person(n % 2 ? email : email.toUpperCase())),
      ),
    );
    const refused = answers.filter((answer) => answer.statusCode === 409);
    expect(refused).toHaveLength(19);
    expect(refused[0]?.json<ErrorReply>().details).toEqual([
      { path: 'email', message: 'An account with this email address already exists.' },
    ]);
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(1);
  });

  it.each([
    ['eleven characters', { password: 'elevenchars' }, 'password', 'Use at least 12 characters.'],
    ['257 characters', { password: 'x'.repeat(257) }, 'password', 'Use at most 256 characters.'],
    ['no address', { email: 'not-an-address' }, 'email', 'Enter a valid email address.'],
    ['a blank name', { firstName: '  ' }, 'firstName', 'Enter your first name.'],
  ])('refuses %s and names the field', async (_what, change, path, message) => {
    const answer = await visitor(api).post('/api/auth/signup', { ...person(freshEmail()), ...change });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>()).toMatchObject({ code: 'invalid', details: [{ path, message }] });
  });

  it('refuses text that the database cannot hold', async () => {
    const answer = await visitor(api).post('/api/auth/signup', {
      ...person(freshEmail()),
      firstName: 'A\u0000da',
    });
    expect(answer.statusCode).toBe(422);
  });

  it('accepts any characters in a password and compares it exactly', async () => {
    const browser = visitor(api);
    const secret = ' päss wörd 🔑 ';
    const email = freshEmail();
    expect((await browser.post('/api/auth/signup', { ...person(email), password: secret })).statusCode).toBe(
      201,
    );
    expect((await browser.post('/api/auth/login', { email, password: secret })).statusCode).toBe(200);
    expect((await browser.post('/api/auth/login', { email, password: secret.trim() })).statusCode).toBe(401);
  });

  it('stores the password as salted argon2id with the parameters of OWASP', async () => {
    const emails = [freshEmail(), freshEmail()];
    for (const email of emails) await visitor(api).post('/api/auth/signup', person(email));
    const { rows } = await sql<{ hash: string }>`
      select password_hash as hash from account where email = any(${emails})`.execute(api.database.system);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2);
    for (const { hash } of rows) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
  });

  it('is limited to 20 a minute from one address', async () => {
    const browser = visitor(api);
    const codes: number[] = [];
    for (let n = 0; n < 21; n += 1) codes.push((await browser.post('/api/auth/signup', {})).statusCode);
    expect(codes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 422));
    expect(codes[20]).toBe(429);
  });

  it('by invitation only accepts exactly one of twenty concurrent first accounts', async () => {
    const closed = await startApi({ signup: 'invite' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        visitor(closed).post('/api/auth/signup', person(`first-${n}@example.org`)),
      ),
    );
    const codes = answers.map((answer) => answer.statusCode);
    expect(codes.filter((code) => code === 201)).toHaveLength(1);
    expect(codes.filter((code) => code === 403)).toHaveLength(19);
    const made = await closed.database.system.selectFrom('account').select('id').execute();
    expect(made).toHaveLength(1);
    await closed.close();
  });

  it.each(['qwerty123456', 'LeaveMeAlone', 'ada-common@example.org', 'ADA-Common@example.org'])(
    'refuses the common password %s',
    async (common) => {
      const answer = await visitor(api).post('/api/auth/signup', {
        ...person('ada-common@example.org'),
        password: common,
      });
      expect(answer.statusCode).toBe(422);
      expect(answer.json<ErrorReply>().details).toEqual([
        { path: 'password', message: 'This password is too common. Choose another.' },
      ]);
    },
  );

  it('replaces an account of the address without an organization', async () => {
    const email = freshEmail();
    const browser = visitor(api);
    const { user } = (await browser.post('/api/auth/signup', person(email))).json<{ user: User }>();
    await sql`delete from membership where account_id = ${user._id}`.execute(api.database.system);
    const again = await visitor(api).post('/api/auth/signup', person(email.toUpperCase()));
    expect(again.statusCode).toBe(201);
    expect(again.json<{ user: User }>().user._id).not.toBe(user._id);
  });

  it('leaves no rows when it fails halfway', async () => {
    const count = async () => {
      const { rows } = await sql<{ n: number }>`
        select (select count(*) from account) + (select count(*) from organization) as n`.execute(
        api.database.system,
      );
      return rows[0]?.n;
    };
    const before = await count();
    const answer = await visitor(api).post('/api/auth/signup', {
      ...person(freshEmail()),
      invitation: 'unknown-invitation',
    });
    expect(answer.statusCode).toBe(404);
    expect(await count()).toBe(before);
  });
});

describe('sign-up with an invitation', () => {
  it('joins the organization in the invited role', async () => {
    const owner = await signUp(api);
    const email = freshEmail();
    const invitation = await invite(owner, email, 'viewer');
    const browser = visitor(api);
    const answer = await browser.post('/api/auth/signup', {
      ...person(email.toUpperCase()),
      organization: 'Ignored',
      invitation,
    });
    expect(answer.statusCode).toBe(201);
    const { user } = answer.json<{ user: User }>();
    expect(user).toMatchObject({ organizationId: owner.user.organizationId, role: 'viewer' });
    expect(
      (await browser.get('/api/auth/memberships')).json<{ memberships: unknown[] }>().memberships,
    ).toEqual([
      { organizationId: owner.user.organizationId, organization: '', role: 'viewer', current: true },
    ]);
    const actions = await loggedActions(api, owner.user.organizationId);
    expect(actions).toEqual(expect.arrayContaining(['account.signed-up', 'member.joined']));
    expect(api.relay.published).toContainEqual({
      topic: eventTopic(owner.user.organizationId),
      message: expect.objectContaining({ type: 'organization.changed' }) as unknown,
    });
  });

  it('accepts one of twenty concurrent sign-ups, and none with another address', async () => {
    const owner = await signUp(api);
    const email = freshEmail();
    const invitation = await invite(owner, email);
    const join = (address: string) =>
      visitor(api).post('/api/auth/signup', { ...person(address), invitation });
    expect((await join(freshEmail())).statusCode).toBe(404);
    const answers = await Promise.all(Array.from({ length: 20 }, () => join(email)));
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.statusCode === 409)).toHaveLength(19);
  });

  it('requires an open invitation', async () => {
    const owner = await signUp(api);
    const email = freshEmail();
    const invitation = await invite(owner, email);
    const open = (interval: string) =>
      sql`update invitation set expires_at = now() + ${interval}::interval where email = ${email}`.execute(
        api.database.system,
      );
    const join = () => visitor(api).post('/api/auth/signup', { ...person(email), invitation });
    await open('-1 second');
    expect((await join()).statusCode).toBe(404);
    await open('1 minute');
    expect((await join()).statusCode).toBe(201);
  });

  it('works when sign-up is by invitation only', async () => {
    const closed = await startApi({ signup: 'invite' });
    const owner = await signUp(closed);
    const email = freshEmail();
    const join = (invitation?: string) =>
      visitor(closed).post('/api/auth/signup', { ...person(email), ...(invitation ? { invitation } : {}) });
    expect((await join()).json<ErrorReply>().code).toBe('signup_closed');
    expect((await join('unknown-invitation')).statusCode).toBe(404);
    expect((await join(await invite(owner, email))).statusCode).toBe(201);
    await closed.close();
  });
});
