import { type ApiToken, type ErrorReply, sessionEndedTopic } from '@riskboard/contract';
import { newId, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { form } from '../testing/form.ts';
import { type Member, insertToken } from '../testing/accounts/member.ts';
import { type Answer, cookieHeader, password, type Person, signUp, visitor } from '../testing/person.ts';
import { bundle, strangeId } from '../testing/report.ts';
import { makeToken, script } from '../testing/accounts/script.ts';
import { topicsSince } from '../testing/accounts/team.ts';
import { origin, startApi, type TestApi } from '../testing/start-api.ts';
import { listen, refusal, streamWith } from '../testing/stream.ts';
import { linkHash } from '../lib/mail/link-token.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

const day = 24 * 3_600_000;
const list = async (person: Person) =>
  (await person.get('/api/auth/tokens')).json<{ tokens: ApiToken[] }>().tokens;
const codeOf = (answer: Answer): string => answer.json<ErrorReply>().code;

const lastUse = async (id: string): Promise<string | null> =>
  (await list(ada)).find((token) => token._id === id)?.lastUsedAt ?? null;

const memberOf = ({ user }: Person): Member => ({
  accountId: user._id,
  organizationId: user.organizationId,
});

/** A person who joins another organization in addition to their own. */
const join = (person: Person, organizationId: string) =>
  api.database.system
    .insertInto('membership')
    .values({ organization_id: organizationId, account_id: person.user._id, role: 'analyst' })
    .execute();

describe('an API token', () => {
  it('is shown once and stored as a hash', async () => {
    const { token, ...made } = await makeToken(ada, { name: ' nightly import ', role: 'analyst' });
    expect(token).toMatch(/^rb_[\w-]{43}$/u);
    expect(made).toMatchObject({
      name: 'nightly import',
      role: 'analyst',
      hint: token.slice(-4),
      lastUsedAt: null,
      expired: false,
    });
    expect(await list(ada)).toEqual([made]);
    const rows = await sql`select * from api_token where id = ${made._id}`.execute(api.database.system);
    expect(JSON.stringify(rows.rows)).not.toContain(token);
  });

  it('is read-only for 90 days by default', async () => {
    const { role, createdAt, expiresAt } = await makeToken(ada);
    expect(role).toBe('viewer');
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(90 * day);
    const short = await makeToken(ada, { expiresInDays: 1 });
    expect(Date.parse(short.expiresAt) - Date.parse(short.createdAt)).toBe(day);
  });

  it.each([
    { name: ' ' },
    { expiresInDays: 0 },
    { expiresInDays: 366 },
    { expiresInDays: 1.5 },
    { role: 'admin' },
  ])('with %j is refused with its field', async (bad) => {
    const answer = await ada.post('/api/auth/tokens', { name: 'x', password, ...bad });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details?.[0]?.path).toBe(Object.keys(bad)[0]);
  });

  it('is not created for a request with expiresAt, whose refusal names expiresInDays', async () => {
    const expiresAt = new Date(Date.now() + day).toISOString();
    const answer = await ada.post('/api/auth/tokens', { name: 'x', password, expiresAt });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details).toEqual([
      { path: 'expiresAt', message: 'Use expiresInDays, the number of days until the token expires.' },
    ]);
    expect(await list(ada)).toEqual([]);
  });

  it("never has a higher role than its owner's", async () => {
    await ada.becomes('analyst');
    const answer = await ada.post('/api/auth/tokens', { name: 'x', password, role: 'owner' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details?.map(({ path }) => path)).toEqual(['role']);
    expect(await list(ada)).toEqual([]);
    await makeToken(ada, { role: 'analyst' });
  });

  it('is not visible to other members, who cannot revoke it', async () => {
    const made = await makeToken(ada);
    const eve = await signUp(api);
    await join(eve, ada.user.organizationId);
    const there = { accountId: eve.user._id, organizationId: ada.user.organizationId };
    const theirs = await insertToken(api, there, { role: 'viewer' });
    expect(await list(ada)).toHaveLength(1);
    expect((await script(api, theirs)('GET', '/api/auth/me')).json()).toMatchObject({
      user: { _id: eve.user._id, organizationId: ada.user.organizationId },
    });
    expect((await eve.delete(`/api/auth/tokens/${made._id}`)).statusCode).toBe(404);
    expect((await script(api, made.token)('GET', '/api/auth/me')).statusCode).toBe(200);
  });

  it('is recorded when created and revoked, without its secret, and its end is published', async () => {
    const { _id, token } = await makeToken(ada, { name: 'nightly', role: 'analyst' });
    const from = api.relay.published.length;
    await ada.delete(`/api/auth/tokens/${_id}`);
    expect(topicsSince(api, from)).toContain(sessionEndedTopic(_id));
    const entries = await withOrganization(api.database, ada.user.organizationId, (trx) =>
      trx
        .selectFrom('activity')
        .select(['action', 'noun', 'name', 'via', 'detail'])
        .where('noun_id', '=', _id)
        .orderBy('id')
        .execute(),
    );
    expect(entries).toMatchObject([
      {
        action: 'token.created',
        noun: 'accounts',
        name: 'nightly',
        via: 'session',
        detail: { role: 'analyst' },
      },
      { action: 'token.revoked', noun: 'accounts', name: 'nightly', via: 'session' },
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
  });
});

describe('a call with an API token', () => {
  it('is marked in the activity log', async () => {
    const { token } = await makeToken(ada, { role: 'analyst' });
    await script(api, token)('POST', '/api/reports/upload', form({ name: 'a.json', content: bundle() }));
    const entries = await withOrganization(api.database, ada.user.organizationId, (trx) =>
      trx.selectFrom('activity').select(['via', 'account_id']).where('noun', '=', 'reports').execute(),
    );
    expect(entries).toEqual([{ via: 'token', account_id: ada.user._id }]);
  });

  it('can upload, list, download, export and receive live events', async () => {
    const { token } = await makeToken(ada, { role: 'analyst' });
    const call = script(api, token);
    const uploaded = await call(
      'POST',
      '/api/reports/upload',
      form({ name: 'by-script.json', content: bundle() }),
    );
    expect(uploaded.statusCode).toBe(201);
    const { _id } = uploaded.json<{ _id: string }>();
    expect((await call('GET', '/api/reports/files')).json()).toMatchObject({ total: 1 });
    expect((await call('GET', `/api/reports/files/${_id}/raw`)).body).toBe(bundle());
    const exported = await call('GET', '/api/reports/files/export?format=csv');
    expect([exported.statusCode, exported.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect((await call('DELETE', `/api/reports/files/${_id}`)).statusCode).toBe(200);
    const url = await listen(api);
    const stream = streamWith(url, { authorization: `Bearer ${token}` });
    await stream.opened();
    stream.socket.terminate();
    expect(
      await refusal(url, { authorization: 'Bearer rb_wrong', cookie: cookieHeader(ada.cookies), origin }),
    ).toBe(401);
  });

  it('takes precedence over a cookie', async () => {
    const { token } = await makeToken(ada, { role: 'viewer' });
    const both = { authorization: `Bearer ${token}` };
    const url = `/api/reports/files/${strangeId()}`;
    expect(codeOf(await ada.call({ method: 'DELETE', url, headers: both }))).toBe('role_too_low');
    const wrong = { authorization: 'Bearer rb_wrong' };
    expect((await ada.call({ method: 'GET', url: '/api/jobs', headers: wrong })).statusCode).toBe(401);
  });

  it('needs no origin, and is refused from a page of another origin', async () => {
    const { token } = await makeToken(ada, { role: 'analyst' });
    const url = `/api/reports/files/${strangeId()}`;
    expect((await script(api, token)('DELETE', url)).statusCode).toBe(404);
    const foreign = { headers: { origin: 'https://evil.example' } };
    expect(codeOf(await script(api, token)('DELETE', url, foreign))).toBe('foreign_origin');
  });

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer  ',
    'Bearer rb_',
    'Bearer nonsense',
    `Bearer rb_${'x'.repeat(5000)}`,
  ])('with the header %j is 401', async (authorization) => {
    const answer = await api.app.inject({ url: '/api/jobs', headers: { authorization } });
    expect(answer.statusCode).toBe(401);
  });

  it('accepts the scheme in any case, several spaces after it, and ignores other schemes', async () => {
    const { token } = await makeToken(ada);
    const ask = (authorization: string) =>
      ada.call({ method: 'GET', url: '/api/jobs', headers: { authorization } });
    expect((await ask(`bearer ${token}`)).statusCode).toBe(200);
    expect((await ask(`Bearer  ${token}`)).statusCode).toBe(200);
    expect((await ask('Basic YTpi')).statusCode).toBe(200);
  });

  it('updates the last use at most once a minute', async () => {
    const { _id, token } = await makeToken(ada);
    const use = () => script(api, token)('GET', '/api/jobs');
    await Promise.all([use(), use(), use()]);
    const first = await lastUse(_id);
    expect(first).not.toBeNull();
    await use();
    expect(await lastUse(_id)).toBe(first);
    await sql`update api_token set last_used_at = now() - interval '61 seconds' where id = ${_id}`.execute(
      api.database.system,
    );
    await use();
    expect(Date.parse((await lastUse(_id)) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''));
  });
});

describe('an API token is refused', () => {
  const uses = (token: string) => script(api, token)('GET', '/api/jobs');

  it('once it is revoked', async () => {
    const { _id, token } = await makeToken(ada);
    expect((await uses(token)).statusCode).toBe(200);
    expect((await ada.delete(`/api/auth/tokens/${_id}`)).json()).toEqual({ success: true, _id, id: _id });
    const answer = await uses(token);
    expect([answer.statusCode, codeOf(answer)]).toEqual([401, 'not_signed_in']);
    expect((await ada.delete(`/api/auth/tokens/${_id}`)).statusCode).toBe(404);
  });

  it('once it has expired; it is still listed as expired', async () => {
    const token = await insertToken(api, memberOf(ada), {
      role: 'viewer',
      expiresAt: new Date(Date.now() - 1000),
    });
    expect((await uses(token)).statusCode).toBe(401);
    expect(await list(ada)).toMatchObject([{ expired: true }]);
  });

  it('once its owner is no longer a member', async () => {
    const { token } = await makeToken(ada);
    const { organizationId, _id } = ada.user;
    await withOrganization(api.database, organizationId, (trx) =>
      trx.deleteFrom('membership').where('account_id', '=', _id).execute(),
    );
    expect((await uses(token)).statusCode).toBe(401);
  });

  it("above its owner's role, from the next call after a demotion", async () => {
    const { token } = await makeToken(ada, { role: 'owner' });
    const remove = () => script(api, token)('DELETE', `/api/reports/files/${newId()}`);
    expect((await remove()).statusCode).toBe(404);
    await ada.becomes('viewer');
    expect(codeOf(await remove())).toBe('role_too_low');
    expect((await uses(token)).statusCode).toBe(200);
  });

  it('where a second factor is required that its owner lacks', async () => {
    const { token } = await makeToken(ada);
    await sql`update organization set require_second_factor = true where organization_id = ${ada.user.organizationId}`.execute(
      api.database.system,
    );
    expect(codeOf(await uses(token))).toBe('second_factor_required');
  });
});

describe('creating an API token', () => {
  it('requires the password, under the limits of signing in', async () => {
    const create = (body: object) => ada.post('/api/auth/tokens', { name: 'x', ...body });
    const without = await create({});
    expect([without.statusCode, without.json<ErrorReply>().details?.[0]?.path]).toEqual([422, 'password']);
    for (let n = 0; n < 5; n += 1)
      expect(codeOf(await create({ password: 'a wrong guess' }))).toBe('wrong_password');
    expect((await create({ password })).statusCode).toBe(429);
    expect(await list(ada)).toEqual([]);
  });

  it('is reported to the person by mail', async () => {
    await makeToken(ada);
    const mails = await api.database.system
      .selectFrom('outgoing_mail')
      .select(['kind', 'detail'])
      .where('email', '=', ada.user.email)
      .execute();
    expect(mails).toEqual([{ kind: 'account-changed', detail: 'token-created' }]);
  });

  it('is refused for a person with 20 live tokens, also when several are requested at once', async () => {
    const { organizationId, accountId } = memberOf(ada);
    const guest = { organizationId: (await signUp(api)).user.organizationId, accountId };
    await join(ada, guest.organizationId);
    for (let n = 0; n < 9; n += 1) {
      await insertToken(api, { organizationId, accountId }, { role: 'viewer' });
      await insertToken(api, guest, { role: 'viewer' });
    }
    await insertToken(api, guest, { role: 'viewer', expiresAt: new Date(Date.now() - 1000) });
    const create = () => ada.post('/api/auth/tokens', { name: 'x', password });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 201, 409]);
  });
});

describe('the API tokens of a person', () => {
  const newPassword = 'a new one that is long enough';
  const resetLink = async () => {
    await sql`
      insert into password_reset (token_hash, account_id, expires_at)
      values (${linkHash('reset')}, ${ada.user._id}, now() + interval '1 hour')`.execute(api.database.system);
    return 'reset';
  };
  const calls: [string, (choice: object) => Promise<Answer>][] = [
    [
      'a password change',
      (choice) => ada.post('/api/auth/password', { current: password, password: newPassword, ...choice }),
    ],
    [
      'a password reset',
      async (choice) =>
        visitor(api).post('/api/auth/reset-password', {
          token: await resetLink(),
          password: newPassword,
          ...choice,
        }),
    ],
    ['"log out everywhere"', (choice) => ada.post('/api/auth/logout-everywhere', { password, ...choice })],
  ];

  it.each(calls)('are revoked by %s, in every organization', async (_what, call) => {
    const guest = { ...memberOf(ada), organizationId: (await signUp(api)).user.organizationId };
    await join(ada, guest.organizationId);
    const tokens = [
      await insertToken(api, memberOf(ada), { role: 'viewer' }),
      await insertToken(api, guest, { role: 'viewer' }),
    ];
    const other = await makeToken(await signUp(api));
    const from = api.relay.published.length;
    expect((await call({})).statusCode).toBeLessThan(300);
    for (const token of tokens) {
      expect((await script(api, token)('GET', '/api/auth/me')).statusCode).toBe(401);
    }
    expect((await script(api, other.token)('GET', '/api/auth/me')).statusCode).toBe(200);
    const ended = api.relay.published.slice(from).filter(({ topic }) => topic.startsWith('session.'));
    expect(ended.length).toBeGreaterThanOrEqual(2);
  });

  it.each(calls)('survive %s that keeps them', async (_what, call) => {
    const { token } = await makeToken(ada);
    expect((await call({ revokeTokens: false })).statusCode).toBeLessThan(300);
    expect((await script(api, token)('GET', '/api/auth/me')).statusCode).toBe(200);
  });
});
