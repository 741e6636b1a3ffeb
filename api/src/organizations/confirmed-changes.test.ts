import type { ErrorReply } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Authenticator, setUpSecondFactor } from '../testing/accounts/authenticator.ts';
import { bySession, makeMember, type Member } from '../testing/accounts/member.ts';
import { enableSecondFactor } from '../testing/accounts/team.ts';
import { type Answer, password, type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let app: Authenticator;
let other: Member;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  ada = await signUp(api);
  app = await setUpSecondFactor(api, ada);
  other = await makeMember(api, ada.user.organizationId, 'owner');
  await enableSecondFactor(api, other.accountId);
  await bySession(api, other);
  await ada.call(change('PUT', '', { requireSecondFactor: true }));
});

const change = (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object) => ({
  method,
  url: `/api/organization${path}`,
  body,
});

/** What the other owner is protected by. */
async function protection(): Promise<object> {
  const { rows } = await sql<object>`
    select o.require_second_factor as required, m.role, a.totp_enabled_at is not null as "secondFactor",
      (select count(*)::int from session s where s.account_id = a.id and s.ended_at is null) as sessions
    from organization o left join account a on a.id = ${other.accountId}
      left join membership m on m.account_id = a.id and m.organization_id = o.organization_id
    where o.organization_id = ${ada.user.organizationId}`.execute(api.database.system);
  return rows[0] ?? {};
}

const fieldOf = (answer: Answer) => [
  answer.statusCode,
  answer.json<ErrorReply>().details?.map(({ path }) => path),
];
const codeOf = (answer: Answer) => [answer.statusCode, answer.json<ErrorReply>().code];

describe('an owner needs the password, and a code where a second factor is set up,', () => {
  it.each<
    [what: string, 'POST' | 'PUT' | 'DELETE', path: (id: string) => string, body: object, then: object]
  >([
    [
      "to reset a member's second factor",
      'POST',
      (id) => `/members/${id}/reset-second-factor`,
      {},
      { secondFactor: false, sessions: 0 },
    ],
    ["to end a member's sessions", 'POST', (id) => `/members/${id}/end-sessions`, {}, { sessions: 0 }],
    ['to take owner rights', 'PUT', (id) => `/members/${id}`, { role: 'viewer' }, { role: 'viewer' }],
    ['to remove an owner', 'DELETE', (id) => `/members/${id}`, {}, { role: null }],
    [
      'to stop requiring a second factor',
      'PUT',
      () => '',
      { requireSecondFactor: false },
      { required: false },
    ],
  ])('%s', async (_what, method, path, body, then) => {
    const send = (proof: object) => ada.call(change(method, path(other.accountId), { ...body, ...proof }));
    const before = { required: true, role: 'owner', secondFactor: true, sessions: 1 };
    expect(await protection()).toEqual(before);
    expect(fieldOf(await send({}))).toEqual([422, ['password']]);
    expect(codeOf(await send({ password: 'a wrong guess' }))).toEqual([403, 'wrong_password']);
    expect(fieldOf(await send({ password }))).toEqual([422, ['code']]);
    expect(codeOf(await send({ password, code: '000000' }))).toEqual([403, 'wrong_code']);
    expect(await protection()).toEqual(before);
    expect((await send({ password, code: await app.fresh() })).statusCode).toBe(200);
    expect({ ...before, ...(await protection()) }).toMatchObject(then);
  });
});

it('wrong passwords of an owner count as failed attempts to log in', async () => {
  const end = (secret: string) =>
    ada.call(change('POST', `/members/${other.accountId}/end-sessions`, { password: secret }));
  for (let n = 0; n < 5; n += 1) expect((await end('a wrong guess')).statusCode).toBe(403);
  expect((await end(password)).statusCode).toBe(429);
});

describe('an owner needs no password', () => {
  it('to change the role of a member who is no owner, or to remove them', async () => {
    const { accountId } = await makeMember(api, ada.user.organizationId, 'analyst');
    const path = `/members/${accountId}`;
    expect((await ada.call(change('PUT', path, { role: 'viewer' }))).statusCode).toBe(200);
    expect((await ada.call(change('DELETE', path, {}))).statusCode).toBe(200);
  });

  it('to change the other settings of the organization', async () => {
    const body = { name: 'Northquay', autoRecalculateCwss: true, requireSecondFactor: true };
    expect((await ada.call(change('PUT', '', body))).statusCode).toBe(200);
  });
});
