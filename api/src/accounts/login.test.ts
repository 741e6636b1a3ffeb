import { verify } from '@node-rs/argon2';
import { type ErrorReply, eventTopic, type User } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { invite } from '../testing/accounts/invite.ts';
import { logged, loggedActions } from '../testing/logged.ts';
import { freshEmail, password, type Person, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { statementsOf } from '../testing/statements.ts';

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  return { ...real, verify: vi.fn<typeof real.verify>(real.verify) };
});

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const signIn = (browser: Person, email: string, secret: string, more: object = {}) =>
  browser.post('/api/auth/login', { email, password: secret, ...more });

describe('sign-in', () => {
  it('answers a wrong password and an unknown address with the same message', async () => {
    const { user } = await signUp(api);
    const [wrong, unknown] = await Promise.all([
      signIn(visitor(api), user.email, 'not the password'),
      signIn(visitor(api), 'nobody@example.org', 'not the password'),
    ]);
    expect(wrong.statusCode).toBe(401);
    expect(wrong.json<ErrorReply>().message).toBe('Invalid credentials, please try again.');
    const plain = (answer: typeof wrong) => ({ ...answer.json<ErrorReply>(), requestId: '' });
    expect(plain(unknown)).toEqual(plain(wrong));
  });

  it('accepts the address in any case and with surrounding blanks', async () => {
    const { user } = await signUp(api);
    const answer = await signIn(visitor(api), ` ${user.email.toUpperCase()} `, password);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ user });
  });

  it('refuses the sixth guess at an account from one address, but not from other addresses', async () => {
    const { user } = await signUp(api);
    const guesser = visitor(api);
    for (let n = 0; n < 5; n += 1)
      expect((await signIn(guesser, user.email, 'a wrong guess')).statusCode).toBe(401);
    const refused = await signIn(guesser, user.email, password);
    expect(refused.statusCode).toBe(429);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(14 * 60);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    expect((await signIn(visitor(api), user.email, password)).statusCode).toBe(200);
  });

  it('checks no more than five of a hundred guesses at once', async () => {
    const { user } = await signUp(api);
    const guesser = visitor(api);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => signIn(guesser, user.email, 'a wrong guess')),
    );
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(5);
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(95);
  });

  it('refuses an address after 20 failures at different accounts', async () => {
    const guesser = visitor(api);
    for (let n = 0; n < 20; n += 1)
      expect((await signIn(guesser, `sprayed-${n}@example.org`, 'a wrong guess')).statusCode).toBe(401);
    expect((await signIn(guesser, 'sprayed-20@example.org', 'a wrong guess')).statusCode).toBe(429);
  });

  it('clears the failures of an account when it signs in', async () => {
    const { user } = await signUp(api);
    const browser = visitor(api);
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 4; n += 1) await signIn(browser, user.email, 'a wrong guess');
      expect((await signIn(browser, user.email, password)).statusCode).toBe(200);
    }
  });

  it('slows down guessing from many addresses and still lets the owner sign in', async () => {
    const { user } = await signUp(api);
    for (let n = 0; n < 12; n += 1) await signIn(visitor(api), user.email, 'a wrong guess');
    const before = performance.now();
    expect((await signIn(visitor(api), user.email, password)).statusCode).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(190);
  });

  it('accepts any number of concurrent correct logins from one address', async () => {
    const { user } = await signUp(api);
    const office = visitor(api);
    const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(office, user.email, password)));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
  });

  it('runs the same statements for an unknown address as for a wrong password', async () => {
    const { user } = await signUp(api);
    const work = async (email: string) => {
      vi.mocked(verify).mockClear();
      const browser = visitor(api);
      const statements = await statementsOf(api, () => signIn(browser, email, 'not the password'));
      return { statements, hashes: vi.mocked(verify).mock.calls.length };
    };
    const known = await work(user.email);
    const unknown = await work(freshEmail());
    expect(known.hashes).toBe(1);
    expect(known.statements.length).toBeGreaterThan(5);
    expect(unknown).toEqual(known);
  });

  it('creates no session when the password changes while it is checked', async () => {
    const { user } = await signUp(api);
    const actual = await vi.importActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
    vi.mocked(verify).mockImplementationOnce(async (...check) => {
      const matches = await actual.verify(...check);
      await sql`update account set password_hash = password_hash || ' ' where id = ${user._id}`.execute(
        api.database.system,
      );
      return matches;
    });
    expect((await signIn(visitor(api), user.email, password)).statusCode).toBe(401);
    const { rows } = await sql`select id from session where account_id = ${user._id}`.execute(
      api.database.system,
    );
    expect(rows).toHaveLength(1);
  });

  it('records sign-ins and failed attempts with their address in the log of the organization', async () => {
    const { user } = await signUp(api);
    const browser = visitor(api);
    await signIn(browser, user.email, 'a wrong guess');
    await signIn(browser, user.email, password);
    const entries = await logged(api, user.organizationId);
    const actor = `Ada <${user.email}>`;
    expect(entries.map((entry) => [entry.action, entry.actor, entry.account_id])).toEqual([
      ['account.signed-up', actor, user._id],
      ['account.sign-in-failed', '', null],
      ['account.signed-in', actor, user._id],
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({ noun: 'accounts', noun_id: user._id, name: actor });
    expect(entries[1]?.address).toMatch(/^10\.0\./u);
    expect(entries[1]?.address).toBe(entries[2]?.address);
    expect(entries[1]?.address).not.toBe(entries[0]?.address);
  });

  it('refuses an account without an organization like an unknown one', async () => {
    const [owner, { user }] = [await signUp(api), await signUp(api)];
    await sql`delete from membership where account_id = ${user._id}`.execute(api.database.system);
    const invitation = await invite(owner, user.email);
    for (const more of [{}, { invitation }]) {
      const answer = await signIn(visitor(api), user.email, password, more);
      expect(answer.statusCode).toBe(401);
      expect(answer.json<ErrorReply>().code).toBe('invalid_credentials');
    }
  });
});

describe('sign-in of a member of several organizations', () => {
  /** The same person in another organization, which they joined later. */
  async function joins(user: User): Promise<string> {
    const organizationId = newId();
    await sql`insert into organization (organization_id, name) values (${organizationId}, 'Second')`.execute(
      api.database.system,
    );
    await sql`
      insert into membership (organization_id, account_id, role, created_at)
      values (${organizationId}, ${user._id}, 'viewer', now() + interval '1 minute')`.execute(
      api.database.system,
    );
    return organizationId;
  }
  const cameTo = async (user: User) =>
    (await signIn(visitor(api), user.email, password)).json<{ user: User }>().user.organizationId;
  const used = (user: User, organizationId: string, ago: string) =>
    sql`
      insert into session (id, organization_id, account_id, refresh_hash, expires_at, last_used_at, ended_at)
      values (${newId()}, ${organizationId}, ${user._id}, '', now(), now() - ${ago}::interval, now())`.execute(
      api.database.system,
    );

  it('opens the last used organization, else the oldest membership', async () => {
    const { user } = await signUp(api);
    const second = await joins(user);
    await sql`delete from session where account_id = ${user._id}`.execute(api.database.system);
    expect(await cameTo(user)).toBe(user.organizationId);
    await sql`delete from session where account_id = ${user._id}`.execute(api.database.system);
    await used(user, user.organizationId, '2 hours');
    await used(user, second, '1 hour');
    expect(await cameTo(user)).toBe(second);
  });

  it('opens an organization under deletion only when there is no other', async () => {
    const { user } = await signUp(api);
    const deleting = (organizationId: string) =>
      sql`update organization set deleting_at = now() where organization_id = ${organizationId}`.execute(
        api.database.system,
      );
    const second = await joins(user);
    await deleting(user.organizationId);
    expect(await cameTo(user)).toBe(second);
    await deleting(second);
    expect(await cameTo(user)).toBe(second);
  });

  it('records a failure in the log of each organization', async () => {
    const { user } = await signUp(api);
    const second = await joins(user);
    await signIn(visitor(api), user.email, 'a wrong guess');
    for (const id of [user.organizationId, second])
      expect(await loggedActions(api, id)).toContain('account.sign-in-failed');
  });
});

describe('sign-in with an invitation', () => {
  it('joins and opens the organization, and consumes the invitation', async () => {
    const [owner, guest] = [await signUp(api), await signUp(api)];
    const invitation = await invite(owner, guest.user.email.toUpperCase(), 'viewer');
    const answer = await signIn(visitor(api), guest.user.email, password, { invitation });
    expect(answer.json()).toMatchObject({
      user: { _id: guest.user._id, organizationId: owner.user.organizationId, role: 'viewer' },
    });
    expect(await loggedActions(api, owner.user.organizationId)).toEqual(
      expect.arrayContaining(['member.joined', 'account.signed-in']),
    );
    expect(api.relay.published).toContainEqual({
      topic: eventTopic(owner.user.organizationId),
      message: expect.objectContaining({ type: 'organization.changed' }) as unknown,
    });
    expect((await signIn(visitor(api), guest.user.email, password, { invitation })).statusCode).toBe(404);
  });

  it('for another address is 404, creates no session and keeps the invitation', async () => {
    const [owner, thief] = [await signUp(api), await signUp(api)];
    const email = freshEmail();
    const invitation = await invite(owner, email);
    const answer = await signIn(visitor(api), thief.user.email, password, { invitation });
    expect(answer.statusCode).toBe(404);
    expect(answer.cookies).toEqual([]);
    const meant = await visitor(api).post('/api/auth/signup', {
      email,
      password,
      firstName: 'Ben',
      invitation,
    });
    expect(meant.statusCode).toBe(201);
  });

  it('reads the invitation only after a correct password', async () => {
    const [owner, guest] = [await signUp(api), await signUp(api)];
    const invitation = await invite(owner, guest.user.email);
    expect((await signIn(visitor(api), guest.user.email, 'a wrong guess', { invitation })).statusCode).toBe(
      401,
    );
    expect((await signIn(visitor(api), guest.user.email, password, { invitation })).statusCode).toBe(200);
  });
});
