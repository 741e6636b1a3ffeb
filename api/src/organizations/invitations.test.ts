import {
  type ErrorReply,
  eventTopic,
  type Invitation,
  type invitations,
  type Reply,
  type User,
} from '@riskboard/contract';
import type { Database } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bySession, insertToken } from '../testing/accounts/member.ts';
import { freshEmail, password, signUp, visitor } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
import { script } from '../testing/accounts/script.ts';
import { origin, startApi, type TestApi } from '../testing/start-api.ts';
import { type Colleague, makeTeam, type Team, topicsSince } from '../testing/accounts/team.ts';
import { linkHash } from '../lib/mail/link-token.ts';

let api: TestApi;
let team: Team;
let owner: Colleague;
beforeAll(async () => {
  api = await startApi({ verifyEmail: true });
});
afterAll(() => api.close());
beforeEach(async () => {
  team = await makeTeam(api);
  owner = await team.join('owner');
});

type Invited = Reply<typeof invitations.create>;

const url = '/api/organization/invitations';
const spent = 'This invitation is no longer valid. Ask the inviter for a new one.';
const tokenOf = ({ link }: Invited): string => new URL(link).searchParams.get('token') ?? '';

/** @returns the invitation with its link */
async function invite(email = freshEmail(), role = 'analyst', by = owner): Promise<Invited> {
  const answer = await by.call('POST', url, { email, role, ...(role === 'owner' && { password }) });
  if (answer.statusCode !== 201) throw new Error(`not invited: ${answer.statusCode} ${answer.body}`);
  return answer.json<Invited>();
}

const list = async () => (await owner.call('GET', url)).json<{ invitations: Invitation[]; total: number }>();
const read = (token: string) => visitor(api).post('/api/auth/invitation', { token });
const mails = (email: string) =>
  api.database.system
    .selectFrom('outgoing_mail')
    .select(['kind', 'email', 'organization_id', 'subject_id', 'detail'])
    .where('email', '=', email)
    .execute();
const change = (id: string, to: { expires_at: ReturnType<typeof sql<Date>> }) =>
  team.inside((trx) => trx.updateTable('invitation').set(to).where('id', '=', id).execute());
/** Waits until a connection waits for a lock. */
const lockWait = ({ system }: Database) =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      select pid from pg_locks where not granted
        and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(system);
    expect(rows).not.toEqual([]);
  });
const expire = (id: string) => change(id, { expires_at: sql<Date>`now()` });

describe('inviting a member', () => {
  it('returns the link, stores only its hash, requests a mail, records and publishes it', async () => {
    const from = api.relay.published.length;
    const email = freshEmail();
    const invited = await invite(email, 'viewer');
    expect(invited).toMatchObject({
      email,
      role: 'viewer',
      expired: false,
      invitedBy: 'Grace',
      notMailed: null,
      link: expect.stringMatching(/^http:\/\/localhost:3000\/invitation\?token=[\w-]{43}$/u) as string,
    });
    const week = 7 * 24 * 3_600_000;
    expect(Date.parse(invited.expiresAt) - Date.parse(invited.createdAt)).toBe(week);
    const row = await api.database.system
      .selectFrom('invitation')
      .selectAll()
      .where('id', '=', invited._id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      id: invited._id,
      link_hash: linkHash(tokenOf(invited)),
      mail_hash: null,
      invited_by: owner.accountId,
    });
    const { organizationId } = team;
    expect(await mails(email)).toEqual([
      { kind: 'invitation', email, organization_id: organizationId, subject_id: invited._id, detail: '' },
    ]);
    expect(await team.log()).toMatchObject([
      { action: 'member.invited', noun_id: invited._id, name: email, detail: { role: 'viewer' } },
    ]);
    expect(topicsSince(api, from)).toEqual(
      expect.arrayContaining(['mail.waiting', eventTopic(organizationId)]),
    );
    expect(JSON.stringify([await team.log(), await mails(email), await list()])).not.toContain(
      tokenOf(invited),
    );
  });

  it('invites an analyst by default', async () => {
    const answer = await owner.call('POST', url, { email: freshEmail() });
    expect(answer.json<Invited>().role).toBe('analyst');
  });

  it('works the same through members.add', async () => {
    const email = freshEmail();
    const answer = await owner.call('POST', '/api/organization/members', { email, role: 'owner', password });
    expect(answer.statusCode).toBe(201);
    const { invitations } = await list();
    expect(invitations).toMatchObject([{ email, role: 'owner' }]);
    expect((await read(tokenOf(answer.json<Invited>()))).statusCode).toBe(200);
    expect(Object.keys(await team.roles())).toEqual([owner.accountId]);
  });

  it('links to an origin of the installation for any Host and Origin', async () => {
    const { headers, remoteAddress } = await bySession(api, owner);
    const answer = await api.app.inject({
      method: 'POST',
      url,
      remoteAddress,
      body: { email: freshEmail() },
      headers: { ...headers, host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    expect(answer.json<Invited>().link.startsWith(`${origin}/invitation?token=`)).toBe(true);
  });

  it('refuses the address of a member in any case', async () => {
    const ben = await team.join('viewer');
    const answer = await owner.call('POST', url, { email: ben.email.toUpperCase() });
    expect(answer.statusCode).toBe(409);
    expect(answer.json<ErrorReply>().details).toEqual([
      { path: 'email', message: 'This person is already a member.' },
    ]);
    expect(await mails(ben.email)).toEqual([]);
  });

  it('replaces an open invitation: its links end and the new one is valid for a week', async () => {
    const email = freshEmail();
    const first = await invite(email, 'viewer');
    const mailed = 'the secret of the mail';
    await team.inside((trx) =>
      trx
        .updateTable('invitation')
        .set({ mail_hash: linkHash(mailed) })
        .where('id', '=', first._id)
        .execute(),
    );
    expect((await read(mailed)).statusCode).toBe(200);
    await expire(first._id);
    const second = await invite(email.toUpperCase(), 'owner');
    expect(second).toMatchObject({ _id: first._id, role: 'owner', expired: false });
    expect((await list()).total).toBe(1);
    expect((await read(tokenOf(first))).statusCode).toBe(404);
    expect((await read(mailed)).statusCode).toBe(404);
    expect((await read(tokenOf(second))).json()).toMatchObject({ role: 'owner' });
    expect(await mails(email)).toHaveLength(2);
  });
});

it('without a mail server an invitation says that no email was sent, and its mail is kept for the outbox', async () => {
  const withoutMailServer = await startApi();
  onTestFinished(() => withoutMailServer.close());
  const inviter = await (await makeTeam(withoutMailServer)).join('owner');
  const email = freshEmail();
  const invited = await invite(email, 'analyst', inviter);
  expect(invited.notMailed).toBe('no-mail-server');
  const mail = withoutMailServer.database.system.selectFrom('outgoing_mail').select('kind');
  expect(await mail.where('email', '=', email).execute()).toEqual([{ kind: 'invitation' }]);
});

describe('many invitations of one address', () => {
  const inviteFrom = (person: Colleague, email: string) => person.call('POST', url, { email });

  it('are refused to the organization that makes them', async () => {
    const email = freshEmail();
    for (const status of [201, 201, 201, 429])
      expect((await inviteFrom(owner, email)).statusCode).toBe(status);
  });

  it('of another organization leave out the mail, not the invitation', async () => {
    const email = freshEmail();
    for (const _ of [1, 2, 3]) await inviteFrom(owner, email);
    const other = await (await makeTeam(api)).join('owner');
    const answer = await inviteFrom(other, email.toUpperCase());
    expect(answer.statusCode).toBe(201);
    const invited = answer.json<Invited>();
    expect(invited.notMailed).toBe('many-invitations');
    expect((await read(tokenOf(invited))).statusCode).toBe(200);
    expect(await mails(email)).toHaveLength(3);
  });
});

describe('the list of invitations', () => {
  it('shows open and expired invitations, newest first', async () => {
    const [old, fresh] = [await invite(), await invite()];
    await expire(old._id);
    const { invitations, total } = await list();
    expect(total).toBe(2);
    expect(invitations.map(({ _id, expired }) => [_id, expired])).toEqual([
      [fresh._id, false],
      [old._id, true],
    ]);
  });

  it('shows no invitations of another organization', async () => {
    const other = await (await makeTeam(api)).join('owner');
    const theirs = await invite(freshEmail(), 'viewer', other);
    expect((await list()).invitations).toEqual([]);
    expect((await owner.call('DELETE', `${url}/${theirs._id}`)).statusCode).toBe(404);
    expect((await read(tokenOf(theirs))).statusCode).toBe(200);
  });
});

describe('withdrawing an invitation', () => {
  it('ends the link and is recorded', async () => {
    const invited = await invite();
    const answer = await owner.call('DELETE', `${url}/${invited._id}`);
    expect(answer.json()).toEqual({ success: true, _id: invited._id, id: invited._id });
    expect((await read(tokenOf(invited))).statusCode).toBe(404);
    expect((await list()).invitations).toEqual([]);
    expect((await team.log()).at(-1)).toMatchObject({
      action: 'invitation.withdrawn',
      noun_id: invited._id,
      name: invited.email,
    });
  });

  it('is 404 for a withdrawn invitation', async () => {
    expect((await owner.call('DELETE', `${url}/${strangeId()}`)).statusCode).toBe(404);
  });
});

describe('reading an invitation', () => {
  it('shows organization, role and inviter to a visitor with the link', async () => {
    const invited = await invite(freshEmail(), 'viewer');
    expect((await read(tokenOf(invited))).json()).toEqual({
      organization: 'Northquay',
      role: 'viewer',
      email: invited.email,
      invitedBy: 'Grace',
      known: null,
      claimable: false,
    });
  });

  it('shows whether the address has an account by the mailed link, not by the one of the person who invited', async () => {
    const { user } = await signUp(api);
    for (const [email, known] of [
      [user.email.toUpperCase(), true],
      [freshEmail(), false],
    ] as const) {
      const invited = await invite(email);
      const mailed = `${tokenOf(invited)}-mailed`;
      await team.inside((trx) =>
        trx
          .updateTable('invitation')
          .set({ mail_hash: linkHash(mailed) })
          .where('id', '=', invited._id)
          .execute(),
      );
      expect((await read(mailed)).json()).toMatchObject({ known });
      expect((await read(tokenOf(invited))).json()).toMatchObject({ known: null });
    }
  });

  it.each([
    ['expired', (id: string) => expire(id)],
    [
      'to an organization that is being deleted',
      () => team.inside((trx) => trx.updateTable('organization').set({ deleting_at: new Date() }).execute()),
    ],
    [
      'unknown',
      (id: string) => team.inside((trx) => trx.deleteFrom('invitation').where('id', '=', id).execute()),
    ],
  ])('is 404 for an invitation that is %s', async (_how, end) => {
    const invited = await invite();
    await end(invited._id);
    const answer = await read(tokenOf(invited));
    expect([answer.statusCode, answer.json<ErrorReply>().message]).toEqual([404, spent]);
  });
});

describe('accepting an invitation', () => {
  const accept = (person: Awaited<ReturnType<typeof signUp>>, token: string) =>
    person.post('/api/auth/invitation/accept', { token });

  it('joins and opens the organization with a new session', async () => {
    const person = await signUp(api);
    const old = new Map(person.cookies);
    const invited = await invite(person.user.email.toUpperCase(), 'viewer');
    const from = api.relay.published.length;
    expect((await accept(person, tokenOf(invited))).json()).toEqual({ success: true });
    const { user } = (await person.get('/api/auth/me')).json<{ user: User }>();
    expect(user).toMatchObject({
      _id: person.user._id,
      organizationId: team.organizationId,
      organization: 'Northquay',
      role: 'viewer',
    });
    const stale = visitor(api);
    for (const [name, value] of old) stale.cookies.set(name, value);
    expect((await stale.get('/api/auth/me')).statusCode).toBe(401);
    expect((await stale.post('/api/auth/refresh')).statusCode).toBe(401);
    expect((await person.post('/api/auth/refresh')).statusCode).toBe(200);
    expect(topicsSince(api, from)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^session\..+\.ended$/u) as string,
        eventTopic(team.organizationId),
      ]),
    );
    expect((await team.log()).at(-1)).toMatchObject({
      action: 'member.joined',
      account_id: person.user._id,
      noun_id: person.user._id,
      name: `Ada <${person.user.email}>`,
      detail: { role: 'viewer' },
    });
    expect((await list()).invitations).toEqual([]);
  });

  it('works once, even when tried twice at once', async () => {
    const [person, invited] = [await signUp(api), await invite()];
    await team.inside((trx) =>
      trx.updateTable('invitation').set({ email: person.user.email }).where('id', '=', invited._id).execute(),
    );
    const answers = await Promise.all([accept(person, tokenOf(invited)), accept(person, tokenOf(invited))]);
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.statusCode < 500)).toHaveLength(2);
    expect((await accept(person, tokenOf(invited))).statusCode).toBe(404);
    expect((await team.log()).filter(({ action }) => action === 'member.joined')).toHaveLength(1);
  });

  it('is 404 when the invitation is withdrawn concurrently', async () => {
    const person = await signUp(api);
    const invited = await invite(person.user.email);
    const accepting = await team.inside(async (trx) => {
      await trx.deleteFrom('invitation').where('id', '=', invited._id).execute();
      const answer = accept(person, tokenOf(invited));
      await lockWait(api.database);
      return { answer };
    });
    expect((await accepting.answer).statusCode).toBe(404);
    expect(Object.keys(await team.roles())).toEqual([owner.accountId]);
    expect((await person.get('/api/auth/me')).json()).toEqual({ user: person.user });
  });

  it('is 404 for another address, and the invitation remains open', async () => {
    const person = await signUp(api);
    const invited = await invite();
    const answer = await accept(person, tokenOf(invited));
    expect([answer.statusCode, answer.json<ErrorReply>().message]).toEqual([404, spent]);
    expect((await person.get('/api/auth/me')).json()).toEqual({ user: person.user });
    expect((await read(tokenOf(invited))).statusCode).toBe(200);
  });

  it('keeps the role of an existing member', async () => {
    const person = await signUp(api);
    const invited = await invite(person.user.email, 'viewer');
    await team.adopt({ organizationId: team.organizationId, accountId: person.user._id }, 'owner');
    expect((await accept(person, tokenOf(invited))).statusCode).toBe(200);
    expect((await team.roles())[person.user._id]).toBe('owner');
  });

  it('is refused to a token and to a visitor', async () => {
    const person = await signUp(api);
    const invited = await invite(person.user.email);
    const call = script(api, await insertToken(api, owner, { role: 'owner' }));
    const body = { token: tokenOf(invited) };
    expect((await call('POST', '/api/auth/invitation/accept', { body })).statusCode).toBe(403);
    expect((await visitor(api).post('/api/auth/invitation/accept', body)).statusCode).toBe(401);
    expect((await read(tokenOf(invited))).statusCode).toBe(200);
  });
});

it('signing up with an invitation creates a member without an own organization', async () => {
  const invited = await invite(freshEmail(), 'viewer');
  const stranger = visitor(api);
  const answer = await stranger.post('/api/auth/signup', {
    email: invited.email,
    password,
    firstName: 'Joan',
    invitation: tokenOf(invited),
  });
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toMatchObject({ user: { organizationId: team.organizationId, role: 'viewer' } });
  expect((await read(tokenOf(invited))).statusCode).toBe(404);
});

describe('an invitation ends when the person who made it may no longer invite', () => {
  const demoted = (maker: Colleague) =>
    owner.call('PUT', `/api/organization/members/${maker.accountId}`, { role: 'analyst', password });
  const cases: [string, (maker: Colleague) => Promise<unknown>][] = [
    [
      'after a removal',
      (maker) => owner.call('DELETE', `/api/organization/members/${maker.accountId}`, { password }),
    ],
    ['after a demotion', demoted],
    [
      'after handing over',
      (maker) => maker.call('POST', '/api/organization/hand-over', { accountId: owner.accountId, password }),
    ],
    ['after leaving', (maker) => maker.call('POST', '/api/organization/leave', { password })],
  ];

  it.each(cases)('%s', async (_when, losesRights) => {
    const maker = await team.join('owner');
    const email = freshEmail();
    const theirs = await invite(email, 'owner', maker);
    const others = await invite();
    await losesRights(maker);
    expect((await list()).invitations.map(({ _id }) => _id)).toEqual([others._id]);
    expect((await read(tokenOf(theirs))).statusCode).toBe(404);
    const body = { email, password, firstName: 'Eve', invitation: tokenOf(theirs) };
    expect((await visitor(api).post('/api/auth/signup', body)).statusCode).toBe(404);
    expect(await team.log()).toContainEqual(
      expect.objectContaining({ action: 'invitation.withdrawn', noun_id: theirs._id, name: email }),
    );
    expect((await read(tokenOf(others))).statusCode).toBe(200);
  });

  it('also when the rights were lost without ending the invitation', async () => {
    const maker = await team.join('owner');
    const email = freshEmail();
    const invitation = await invite(email, 'analyst', maker);
    await team.inside((trx) =>
      trx
        .updateTable('membership')
        .set({ role: 'analyst' })
        .where('account_id', '=', maker.accountId)
        .execute(),
    );
    expect((await read(tokenOf(invitation))).statusCode).toBe(404);
    const body = { email, password, firstName: 'Eve', invitation: tokenOf(invitation) };
    expect((await visitor(api).post('/api/auth/signup', body)).statusCode).toBe(404);
  });
});

describe('an invitation as owner', () => {
  it('requires the password of the inviting owner', async () => {
    const body = { email: freshEmail(), role: 'owner' };
    const without = await owner.call('POST', url, body);
    expect(without.statusCode).toBe(422);
    expect(without.json<ErrorReply>().details?.map(({ path }) => path)).toEqual(['password']);
    const wrong = await owner.call('POST', url, { ...body, password: 'a wrong guess' });
    expect(wrong.json()).toMatchObject({ statusCode: 403, code: 'wrong_password' });
    expect((await owner.call('POST', url, { ...body, password })).statusCode).toBe(201);
  });
});
