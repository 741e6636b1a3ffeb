import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventTopic, type User } from '@riskboard/contract';
import { invite } from '../testing/accounts/invite.ts';
import { logged, loggedActions } from '../testing/logged.ts';
import { password, type Person, signUp, visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const put = (person: Person, body: object) => person.call({ method: 'PUT', url: '/api/auth/me', body });

/** A person who owns one organization and is an analyst in another. */
async function twice(): Promise<{ person: Person; second: string }> {
  const [owner, person] = [await signUp(api), await signUp(api)];
  const invitation = await invite(owner, person.user.email);
  await visitor(api).post('/api/auth/login', { email: person.user.email, password, invitation });
  return { person, second: owner.user.organizationId };
}

describe('changing the own name', () => {
  it('changes one part or both at once', async () => {
    const person = await signUp(api);
    const answer = await put(person, { lastName: ' Lovelace ' });
    expect(answer.json()).toEqual({ user: { ...person.user, lastName: 'Lovelace' } });
    await put(person, { firstName: 'Augusta', lastName: '' });
    expect((await person.get('/api/auth/me')).json()).toEqual({
      user: { ...person.user, firstName: 'Augusta', lastName: '' },
    });
  });

  it('records the change with before and after, and publishes it, in every organization', async () => {
    const { person, second } = await twice();
    await put(person, { firstName: 'Grace' });
    for (const organizationId of [person.user.organizationId, second]) {
      const entry = (await logged(api, organizationId)).find((one) => one.action === 'account.updated');
      expect(entry?.detail).toEqual({ changes: { firstName: { from: 'Ada', to: 'Grace' } } });
      expect(api.relay.published).toContainEqual({
        topic: eventTopic(organizationId),
        message: {
          type: 'organization.changed',
          action: 'changed',
          by: person.user._id,
          count: 1,
          ids: [person.user._id],
        },
      });
    }
  });

  it('records nothing when the name stays the same', async () => {
    const person = await signUp(api);
    expect((await put(person, { firstName: 'Ada' })).statusCode).toBe(200);
    expect((await put(person, {})).statusCode).toBe(200);
    expect(await loggedActions(api, person.user.organizationId)).toEqual(['account.signed-up']);
  });

  it('stores names on one line, composed and without direction characters, so that the activity log finds them', async () => {
    const person = await signUp(api);
    const answer = await put(person, { firstName: 'Jose\u0301\n\u202EMaria', lastName: 'Nu\u0301n\u0303ez' });
    expect(answer.json()).toMatchObject({ user: { firstName: 'José Maria', lastName: 'Núñez' } });
    await person.post('/api/projects', { name: 'Harbour', description: 'x', startDate: '2026-01-05' });
    for (const search of ['José Maria Núñez', 'NU\u0301N\u0303EZ']) {
      const found = await person.get(`/api/activity?${new URLSearchParams({ search }).toString()}`);
      expect(found.json()).toMatchObject({ activity: [{ action: 'project.created' }] });
    }
  });

  it('refuses an empty first name', async () => {
    const person = await signUp(api);
    expect((await put(person, { firstName: ' ' })).statusCode).toBe(422);
  });

  it('refuses other fields of the account', async () => {
    const person = await signUp(api);
    await put(person, { firstName: 'Eve', email: 'eve@example.org', role: 'owner', password_hash: 'x' });
    expect((await person.get('/api/auth/me')).json()).toEqual({ user: { ...person.user, firstName: 'Eve' } });
  });
});

describe('a member of two organizations', () => {
  it('lists both with the role, and which is current', async () => {
    const { person, second } = await twice();
    const { memberships } = (await person.get('/api/auth/memberships')).json<{ memberships: object[] }>();
    expect(memberships).toHaveLength(2);
    expect(memberships).toEqual(
      expect.arrayContaining([
        { organizationId: person.user.organizationId, organization: '', role: 'owner', current: true },
        { organizationId: second, organization: '', role: 'analyst', current: false },
      ]),
    );
  });

  it('switches to a new session, and the end of the old one is published', async () => {
    const { person, second } = await twice();
    const before = visitor(api);
    for (const [name, value] of person.cookies) before.cookies.set(name, value);
    const answer = await person.post('/api/auth/switch', { organizationId: second });
    expect(answer.json<{ user: User }>().user).toEqual({
      ...person.user,
      organizationId: second,
      role: 'analyst',
    });
    expect((await person.get('/api/auth/me')).json<{ user: User }>().user.organizationId).toBe(second);
    expect((await before.get('/api/auth/me')).statusCode).toBe(401);
    expect((await before.post('/api/auth/refresh')).statusCode).toBe(401);
    expect((await person.post('/api/auth/refresh')).statusCode).toBe(200);
    expect(api.relay.published.at(-1)?.topic).toMatch(/^session\..+\.ended$/u);
    expect(await loggedActions(api, second)).toContain('account.signed-in');
  });

  it('keeps the seven-day limit of the session when switching', async () => {
    const { person, second } = await twice();
    await sql`update session set expires_at = now() + interval '1 hour' where account_id = ${person.user._id}`.execute(
      api.database.system,
    );
    await person.post('/api/auth/switch', { organizationId: second });
    const { rows } = await sql<{ left: number }>`
      select extract(epoch from max(expires_at) - now())::int as left from session
      where account_id = ${person.user._id}`.execute(api.database.system);
    expect(rows[0]?.left).toBeLessThanOrEqual(3600);
  });

  it('cannot switch to a foreign organization, and keeps the session', async () => {
    const [person, stranger] = [await signUp(api), await signUp(api)];
    for (const organizationId of [stranger.user.organizationId, crypto.randomUUID()]) {
      const answer = await person.post('/api/auth/switch', { organizationId });
      expect(answer.statusCode).toBe(404);
    }
    expect((await person.get('/api/auth/me')).statusCode).toBe(200);
  });
});
