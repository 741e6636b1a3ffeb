import { type ErrorReply, eventTopic, type Member, roles, sessionEndedTopic } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertToken } from '../testing/accounts/member.ts';
import { password } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
import { script } from '../testing/accounts/script.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import {
  accountExists,
  type Colleague,
  enableSecondFactor,
  makeTeam,
  type Team,
  topicsSince,
} from '../testing/accounts/team.ts';
import { findToken } from '../tokens/find-token.ts';
import { lockOrganization } from './ownership.ts';

let api: TestApi;
let team: Team;
let owner: Colleague;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  team = await makeTeam(api);
  owner = await team.join('owner');
});

const path = (member: { accountId: string }) => `/api/organization/members/${member.accountId}`;
const ownerNeeded = 'An organization needs an owner. Make another member the owner first.';
const leave = (person: Colleague, secret = password) =>
  person.call('POST', '/api/organization/leave', { password: secret });
const transferOwnership = (heir: { accountId: string }, secret = password) =>
  owner.call('POST', '/api/organization/hand-over', { accountId: heir.accountId, password: secret });
const changedTopic = () => eventTopic(team.organizationId);

describe('the list of members', () => {
  it('shows each member with their details, and no member of another organization', async () => {
    const viewer = await team.join('viewer');
    await enableSecondFactor(api, viewer.accountId);
    await (await makeTeam(api)).join('owner');
    const answer = await owner.call('GET', '/api/organization/members');
    const { members, total } = answer.json<{ members: Member[]; total: number }>();
    expect(total).toBe(2);
    const byId = new Map(members.map((member) => [member._id, member]));
    expect(byId.get(owner.accountId)).toMatchObject({
      email: owner.email,
      firstName: 'Grace',
      role: 'owner',
      secondFactor: false,
      self: true,
      lastSeenAt: expect.any(String) as string,
    });
    expect(byId.get(viewer.accountId)).toMatchObject({ role: 'viewer', secondFactor: true, self: false });
  });

  it('shows when a member was last active in this organization', async () => {
    const guest = await (await makeTeam(api)).join('owner');
    await team.inside((trx) =>
      trx
        .insertInto('membership')
        .values({ organization_id: team.organizationId, account_id: guest.accountId, role: 'viewer' })
        .execute(),
    );
    const { members } = (await owner.call('GET', '/api/organization/members')).json<{ members: Member[] }>();
    expect(members.find((member) => member._id === guest.accountId)?.lastSeenAt).toBeNull();
  });
});

describe('the role of a member', () => {
  it('changes from the next call on; the change is recorded with before and after, and published', async () => {
    const ben = await team.join('viewer');
    const from = api.relay.published.length;
    const answer = await owner.call('PUT', path(ben), { role: 'analyst' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json<Member>()).toMatchObject({ _id: ben.accountId, role: 'analyst' });
    expect((await ben.call('GET', '/api/auth/me')).json()).toMatchObject({ user: { role: 'analyst' } });
    expect(await team.log()).toEqual([
      {
        action: 'member.role-changed',
        actor: `Grace <${owner.email}>`,
        account_id: owner.accountId,
        noun: 'organization',
        noun_id: ben.accountId,
        name: `Grace <${ben.email}>`,
        via: 'session',
        detail: { changes: { role: { from: 'viewer', to: 'analyst' } } },
      },
    ]);
    expect(api.relay.published.slice(from)).toEqual([
      {
        topic: changedTopic(),
        message: {
          type: 'organization.changed',
          action: 'changed',
          by: owner.accountId,
          ids: [ben.accountId],
          count: 1,
        },
      },
    ]);
  });

  it('is not recorded when it stays the same', async () => {
    const ben = await team.join('viewer');
    expect((await owner.call('PUT', path(ben), { role: 'viewer' })).statusCode).toBe(200);
    expect(await team.log()).toEqual([]);
  });

  it.each(['viewer', 'analyst'] as const)('of the last owner does not become %s', async (role) => {
    await team.join('analyst');
    const answer = await owner.call('PUT', path(owner), { role });
    expect(answer.statusCode).toBe(409);
    expect(answer.json<ErrorReply>().message).toBe(ownerNeeded);
    expect((await team.roles())[owner.accountId]).toBe('owner');
    expect(await team.log()).toEqual([]);
  });

  it('of the caller can be lowered while another owner remains', async () => {
    await team.join('owner');
    expect((await owner.call('PUT', path(owner), { role: 'viewer', password })).statusCode).toBe(200);
    expect((await owner.call('GET', '/api/organization/members')).statusCode).toBe(403);
  });

  it('becomes owner only with the password of the owner who changes it', async () => {
    const ben = await team.join('viewer');
    const without = await owner.call('PUT', path(ben), { role: 'owner' });
    expect(without.statusCode).toBe(422);
    expect(without.json<ErrorReply>().details?.map((issue) => issue.path)).toEqual(['password']);
    const wrong = await owner.call('PUT', path(ben), { role: 'owner', password: 'a wrong guess' });
    expect(wrong.json()).toMatchObject({ statusCode: 403, code: 'wrong_password' });
    expect((await team.roles())[ben.accountId]).toBe('viewer');
    expect((await owner.call('PUT', path(ben), { role: 'owner', password })).statusCode).toBe(200);
  });

  it('leaves one owner when two owners demote each other at once', async () => {
    const rounds = 5;
    for (let round = 0; round < rounds; round += 1) {
      const here = await makeTeam(api);
      const [a, b] = [await here.join('owner'), await here.join('owner')];
      const answers = await Promise.all([
        a.call('PUT', path(b), { role: 'viewer', password }),
        b.call('PUT', path(a), { role: 'viewer', password }),
      ]);
      const statuses = answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b);
      expect(statuses).toEqual([200, 403]);
      expect(Object.values(await here.roles()).toSorted()).toEqual(['owner', 'viewer']);
    }
  });

  it('leaves an owner when demotion, removal and leaving happen at once', async () => {
    const all = await Promise.all([team.join('owner'), team.join('owner'), team.join('owner')]);
    const ask = [
      ...all.map((person) => leave(person)),
      ...all.map((person) => person.call('PUT', path(person), { role: 'viewer', password })),
      ...all.map((person) => owner.call('DELETE', path(person), { password })),
      leave(owner),
    ];
    for (const answer of await Promise.all(ask)) expect(answer.statusCode).toBeLessThan(500);
    expect(Object.values(await team.roles())).toContain('owner');
  });

  it('is changed under a lock that does not block inserts that reference the organization', async () => {
    const id = strangeId();
    await team.inside(async (trx) => {
      await lockOrganization(trx);
      // As an upload writes it, in a transaction of its own.
      await team.inside((upload) =>
        upload.insertInto('file_content').values({ organization_id: team.organizationId, id }).execute(),
      );
    });
    const rows = await team.inside((trx) => trx.selectFrom('file_content').select('id').execute());
    expect(rows).toEqual([{ id }]);
  });
});

describe('removing a member', () => {
  it('ends their sessions and tokens, publishes it, and deletes an account without an organization', async () => {
    const ben = await team.join('analyst');
    const token = await insertToken(api, ben, { role: 'viewer' });
    const call = script(api, token);
    const { tokenId } = (await findToken(api.database, token)) ?? { tokenId: '' };
    const from = api.relay.published.length;
    const answer = await owner.call('DELETE', path(ben));
    expect(answer.json()).toEqual({ success: true, _id: ben.accountId, id: ben.accountId });
    expect((await ben.call('GET', '/api/auth/me')).statusCode).toBe(401);
    expect((await call('GET', '/api/auth/me')).statusCode).toBe(401);
    expect(topicsSince(api, from).toSorted()).toEqual(
      [changedTopic(), sessionEndedTopic(ben.sessionId), sessionEndedTopic(tokenId)].toSorted(),
    );
    expect(await accountExists(api, ben.accountId)).toBe(false);
    expect(await team.log()).toMatchObject([
      {
        action: 'member.removed',
        noun_id: ben.accountId,
        name: `Grace <${ben.email}>`,
        detail: { role: 'analyst' },
      },
    ]);
  });

  it('keeps their membership and sessions in another organization', async () => {
    const elsewhere = await makeTeam(api);
    const ben = await elsewhere.join('owner');
    const guest = await team.adopt(ben, 'viewer');
    await owner.call('DELETE', path(guest));
    expect((await guest.call('GET', '/api/auth/me')).statusCode).toBe(401);
    expect((await ben.call('GET', '/api/auth/me')).statusCode).toBe(200);
    expect(await accountExists(api, ben.accountId)).toBe(true);
  });

  it.each([
    ['the last owner', ownerNeeded, false],
    ['an owner of two', 'You cannot remove yourself. Leave the organization instead.', true],
  ])('is refused for the caller: %s', async (_who, message, another) => {
    if (another) await team.join('owner');
    const answer = await owner.call('DELETE', path(owner));
    expect(answer.statusCode).toBe(409);
    expect(answer.json<ErrorReply>().message).toBe(message);
    expect(await accountExists(api, owner.accountId)).toBe(true);
  });

  it('is 404 for a member of another organization', async () => {
    const stranger = await (await makeTeam(api)).join('analyst');
    for (const id of [stranger.accountId, strangeId()]) {
      const member = { accountId: id };
      expect((await owner.call('DELETE', path(member))).statusCode).toBe(404);
      expect((await owner.call('PUT', path(member), { role: 'viewer' })).statusCode).toBe(404);
      const reset = await owner.call('POST', `${path(member)}/reset-second-factor`, { password });
      expect(reset.statusCode).toBe(404);
      expect((await transferOwnership(member)).statusCode).toBe(404);
    }
    expect((await stranger.call('GET', '/api/auth/me')).statusCode).toBe(200);
  });
});

describe('leaving an organization', () => {
  it('requires the password, ends the sessions and clears the cookies', async () => {
    const ben = await team.join('analyst');
    const wrong = await leave(ben, 'not the password');
    expect([wrong.statusCode, wrong.json<ErrorReply>().message]).toEqual([403, 'Incorrect password.']);
    expect(Object.keys(await team.roles())).toContain(ben.accountId);
    const from = api.relay.published.length;
    const answer = await leave(ben);
    expect(answer.json()).toEqual({ success: true });
    expect(answer.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['rb_session', ''],
      ['rb_refresh', ''],
    ]);
    expect(topicsSince(api, from)).toContain(sessionEndedTopic(ben.sessionId));
    expect((await ben.call('GET', '/api/auth/me')).statusCode).toBe(401);
    expect(await accountExists(api, ben.accountId)).toBe(false);
    expect(await team.log()).toMatchObject([{ action: 'member.left', account_id: ben.accountId }]);
  });

  it('is refused to the last owner and allowed to one of two', async () => {
    const answer = await leave(owner);
    expect([answer.statusCode, answer.json<ErrorReply>().message]).toEqual([409, ownerNeeded]);
    await team.join('owner');
    expect((await leave(owner)).statusCode).toBe(200);
  });

  it('keeps one owner when all owners leave at once', async () => {
    const rounds = 3;
    for (let round = 0; round < rounds; round += 1) {
      const here = await makeTeam(api);
      const owners = [await here.join('owner'), await here.join('owner')];
      const answers = await Promise.all(owners.map((person) => leave(person)));
      expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect(Object.values(await here.roles())).toEqual(['owner']);
    }
  });

  it('keeps the account of a member of another organization', async () => {
    const ben = await (await makeTeam(api)).join('owner');
    const guest = await team.adopt(ben, 'viewer');
    expect((await leave(guest)).statusCode).toBe(200);
    expect((await ben.call('GET', '/api/auth/me')).statusCode).toBe(200);
  });

  it('counts wrong passwords as failed attempts', async () => {
    const ben = await team.join('viewer');
    for (let n = 0; n < 5; n += 1) expect((await leave(ben, 'a guess')).statusCode).toBe(403);
    expect((await leave(ben)).statusCode).toBe(429);
    expect(Object.keys(await team.roles())).toContain(ben.accountId);
  });
});

describe('transferring ownership', () => {
  it('makes the other member the owner and the caller an analyst', async () => {
    const heir = await team.join('viewer');
    expect((await transferOwnership(heir, 'not the password')).statusCode).toBe(403);
    expect((await team.roles())[heir.accountId]).toBe('viewer');
    expect((await transferOwnership(heir)).json()).toEqual({ success: true });
    expect(await team.roles()).toEqual({ [owner.accountId]: 'analyst', [heir.accountId]: 'owner' });
    expect(await team.log()).toMatchObject([
      { action: 'organization.handed-over', noun_id: heir.accountId, name: `Grace <${heir.email}>` },
    ]);
  });

  it('is refused to oneself', async () => {
    expect((await transferOwnership(owner)).statusCode).toBe(409);
    expect(await team.roles()).toEqual({ [owner.accountId]: 'owner' });
  });

  it('makes one owner for two concurrent transfers', async () => {
    const heirs = [await team.join('viewer'), await team.join('viewer')];
    const answers = await Promise.all(heirs.map((heir) => transferOwnership(heir)));
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 403]);
    expect(Object.values(await team.roles()).toSorted()).toEqual(['analyst', 'owner', 'viewer']);
  });
});

describe("resetting a member's second factor", () => {
  const reset = (member: Colleague) =>
    owner.call('POST', `${path(member)}/reset-second-factor`, { password });
  const factorOf = (accountId: string) =>
    api.database.system
      .selectFrom('account')
      .select(['totp_secret', 'totp_pending', 'totp_enabled_at', 'totp_last_step'])
      .select(({ selectFrom }) =>
        selectFrom('recovery_code')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .whereRef('account_id', '=', 'account.id')
          .as('codes'),
      )
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();

  it('removes it with its recovery codes, ends the sessions and notifies the person by mail', async () => {
    const ben = await team.join('analyst');
    await enableSecondFactor(api, ben.accountId);
    const from = api.relay.published.length;
    const answer = await reset(ben);
    expect(answer.statusCode).toBe(200);
    expect(answer.json<Member>()).toMatchObject({ _id: ben.accountId, secondFactor: false });
    expect(await factorOf(ben.accountId)).toEqual({
      totp_secret: null,
      totp_pending: null,
      totp_enabled_at: null,
      totp_last_step: null,
      codes: 0,
    });
    expect((await ben.call('GET', '/api/auth/me')).statusCode).toBe(401);
    expect(topicsSince(api, from)).toEqual(
      expect.arrayContaining([sessionEndedTopic(ben.sessionId), 'mail.waiting', changedTopic()]),
    );
    const mails = await api.database.system
      .selectFrom('outgoing_mail')
      .select(['kind', 'detail'])
      .where('email', '=', ben.email)
      .execute();
    expect(mails).toEqual([{ kind: 'account-changed', detail: 'second-factor-reset' }]);
    expect(await team.log()).toMatchObject([
      { action: 'member.second-factor-reset', noun_id: ben.accountId },
    ]);
  });

  it('is refused for a member of another organization too', async () => {
    const guest = await team.adopt(await (await makeTeam(api)).join('owner'), 'viewer');
    await enableSecondFactor(api, guest.accountId);
    const before = await factorOf(guest.accountId);
    expect((await reset(guest)).statusCode).toBe(409);
    expect(await factorOf(guest.accountId)).toEqual(before);
    expect((await guest.call('GET', '/api/auth/me')).statusCode).toBe(200);
    expect(await team.log()).toEqual([]);
  });

  it('is refused for oneself', async () => {
    const answer = await reset(owner);
    expect(answer.statusCode).toBe(409);
    expect(answer.json<ErrorReply>().message).toContain('your own second factor');
  });

  it('is refused for a member without a second factor', async () => {
    expect((await reset(await team.join('viewer'))).statusCode).toBe(409);
  });
});

it('a member can have every role', async () => {
  const ben = await team.join('viewer');
  for (const role of roles) {
    expect((await owner.call('PUT', path(ben), { role, password })).json<Member>().role).toBe(role);
  }
});

describe('an API token of an owner', () => {
  it.each([
    ['GET', '/api/organization/members', {}],
    ['POST', '/api/organization/members', { email: 'eve@example.org' }],
    ['GET', '/api/organization/invitations', {}],
    ['POST', '/api/organization/invitations', { email: 'eve@example.org', role: 'owner', password }],
    ['PUT', '/api/organization', { name: 'Mine' }],
  ] as const)('cannot %s %s', async (method, url, body) => {
    const call = script(api, await insertToken(api, owner, { role: 'owner' }));
    const answer = await call(method, url, method === 'GET' ? {} : { body });
    expect([answer.statusCode, answer.json<ErrorReply>().code]).toEqual([403, 'session_needed']);
  });

  it.each(['PUT', 'DELETE'] as const)('cannot %s a member', async (method) => {
    const ben = await team.join('viewer');
    const call = script(api, await insertToken(api, owner, { role: 'owner' }));
    const answer = await call(method, path(ben), { body: { role: 'owner', password } });
    expect(answer.json<ErrorReply>().code).toBe('session_needed');
    expect((await team.roles())[ben.accountId]).toBe('viewer');
  });
});

describe('ending the sessions of a member', () => {
  const end = (member: { accountId: string }) =>
    owner.call('POST', `${path(member)}/end-sessions`, { password });

  it('ends their sessions and API tokens in this organization only, and keeps the membership', async () => {
    const elsewhere = await makeTeam(api);
    const ben = await elsewhere.join('owner');
    const guest = await team.adopt(ben, 'analyst');
    const here = script(api, await insertToken(api, guest, { role: 'viewer' }));
    const there = script(api, await insertToken(api, ben, { role: 'viewer' }));
    const from = api.relay.published.length;
    expect((await end(guest)).json()).toEqual({ success: true, ended: 1, tokensRevoked: 1 });
    expect((await guest.call('GET', '/api/auth/me')).statusCode).toBe(401);
    expect((await here('GET', '/api/auth/me')).statusCode).toBe(401);
    expect((await ben.call('GET', '/api/auth/me')).statusCode).toBe(200);
    expect((await there('GET', '/api/auth/me')).statusCode).toBe(200);
    expect((await team.roles())[ben.accountId]).toBe('analyst');
    expect(topicsSince(api, from)).toContain(sessionEndedTopic(guest.sessionId));
    expect(await team.log()).toMatchObject([
      {
        action: 'member.sessions-ended',
        noun_id: ben.accountId,
        detail: { ended: 1, tokensRevoked: 1 },
      },
    ]);
  });

  it('is refused for oneself and for a member of another organization', async () => {
    expect((await end(owner)).statusCode).toBe(409);
    expect((await end(await (await makeTeam(api)).join('viewer'))).statusCode).toBe(404);
    expect((await owner.call('GET', '/api/auth/me')).statusCode).toBe(200);
  });
});
