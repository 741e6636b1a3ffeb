import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bySession, type Credentials, insertToken, withToken } from '../../testing/accounts/member.ts';
import { type Colleague, makeTeam, type Team } from '../../testing/accounts/team.ts';
import { form } from '../../testing/form.ts';
import { password } from '../../testing/person.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

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

/** Longer than a check of access holds while a body arrives. */
const pause = () => sleep(150);

interface Write {
  method: 'POST' | 'PUT' | 'DELETE';
  url: string;
  body: Buffer;
  type?: string;
}

const json = (method: Write['method'], url: string, body: object): Write => ({
  method,
  url,
  body: Buffer.from(JSON.stringify(body)),
});

/** Sends half of the body, lets something happen, and sends the rest. */
async function holding(
  { headers, remoteAddress }: Credentials,
  { method, url, body, type = 'application/json' }: Write,
  meanwhile: () => Promise<unknown>,
) {
  const half = body.length >> 1;
  const payload = new Readable({ read: () => undefined });
  payload.push(body.subarray(0, half));
  const answer = api.app.inject({
    method,
    url,
    remoteAddress,
    headers: { ...headers, 'content-type': type, 'content-length': String(body.length) },
    payload,
  });
  await pause();
  await meanwhile();
  await pause();
  payload.push(body.subarray(half));
  payload.push(null);
  const { statusCode, body: text } = await answer;
  return { status: statusCode, code: (JSON.parse(text) as { code?: string }).code };
}

const member = (one: Colleague) => `/api/organization/members/${one.accountId}`;
const remove = (one: Colleague) => owner.call('DELETE', member(one), { password });
const demote = (one: Colleague) => owner.call('PUT', member(one), { role: 'viewer', password });
const project = json('POST', '/api/projects', {
  name: 'Held',
  description: 'Held back.',
  startDate: '2026-03-01',
});
const count = async (table: 'project' | 'webhook' | 'api_token' | 'file_content') => {
  const { rows } = await team.inside((trx) =>
    sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(trx),
  );
  return rows[0]?.n;
};

describe('a write whose body is held back', () => {
  it('is done when nothing changed', async () => {
    const analyst = await team.join('analyst');
    const answer = await holding(await bySession(api, analyst), project, async () => undefined);
    expect(answer.status).toBe(201);
  });

  it('is refused when its sender was removed, with the reason', async () => {
    const analyst = await team.join('analyst');
    const answer = await holding(await bySession(api, analyst), project, () => remove(analyst));
    expect(answer).toEqual({ status: 401, code: 'access_ended' });
    expect(await count('project')).toBe(0);
  });

  it('is refused when its sender may do less now', async () => {
    const other = await team.join('owner');
    const webhook = json('POST', '/api/alerts/webhooks', { name: 'Held', url: 'https://example.org/hook' });
    const answer = await holding(await bySession(api, other), webhook, () => demote(other));
    expect(answer).toEqual({ status: 403, code: 'role_too_low' });
    expect(await count('webhook')).toBe(0);
  });

  it('is refused when its sender is no longer an owner, with the right password too', async () => {
    const [other, analyst] = [await team.join('owner'), await team.join('analyst')];
    const end = json('POST', `${member(analyst)}/end-sessions`, { password });
    const answer = await holding(await bySession(api, other), end, () => demote(other));
    expect(answer).toEqual({ status: 403, code: 'role_too_low' });
    expect((await analyst.call('GET', '/api/auth/me')).statusCode).toBe(200);
  });

  it('is refused when its session was ended', async () => {
    const analyst = await team.join('analyst');
    const token = json('POST', '/api/auth/tokens', { name: 'Held', role: 'viewer', days: 30 });
    const end = () => owner.call('POST', `${member(analyst)}/end-sessions`, { password });
    const answer = await holding(await bySession(api, analyst), token, end);
    expect(answer).toEqual({ status: 401, code: 'session_expired' });
    expect(await count('api_token')).toBe(0);
  });

  it('is refused when its API token was revoked', async () => {
    const analyst = await team.join('analyst');
    const token = await insertToken(api, analyst, { role: 'analyst' });
    const revoke = () => team.inside((trx) => trx.deleteFrom('api_token').execute());
    expect(await holding(withToken(token), project, revoke)).toEqual({ status: 401, code: 'not_signed_in' });
  });

  it('is refused when it needs no body', async () => {
    const analyst = await team.join('analyst');
    const bulk = json('POST', '/api/reports/vignette/starters', {});
    const answer = await holding(await bySession(api, analyst), bulk, () => remove(analyst));
    expect(answer.status).toBe(401);
  });

  it.each([
    ['a report', '/api/reports/upload', 'stixFile', 'held.json', 2_000_000],
    ['a vignette', '/api/reports/upload-vignette', 'vignetteFile', 'held.json', 10_000],
    ['a CSV file', '/api/imports?noun=assets', 'csvFile', 'held.csv', 2_000_000],
  ])('is refused as %s, of which nothing stays', async (_, url, field, name, length) => {
    const analyst = await team.join('analyst');
    const { headers, payload } = form({
      field,
      name,
      content: `{"type":"bundle","x":"${'y'.repeat(length)}"}`,
    });
    const upload: Write = { method: 'POST', url, body: payload, type: headers['content-type'] ?? '' };
    const answer = await holding(await bySession(api, analyst), upload, () => remove(analyst));
    expect(answer).toEqual({ status: 401, code: 'access_ended' });
    expect(await count('file_content')).toBe(0);
  });
});
