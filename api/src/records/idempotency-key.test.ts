import { newId } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bySession, makeMember } from '../testing/accounts/member.ts';
import { logged } from '../testing/logged.ts';
import { makeProject, publishedChanges } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

const threat = { name: 'Phish', description: 'x' };

const create = (
  person: Person,
  key: string,
  { noun = 'threats', body = threat }: { noun?: string; body?: object } = {},
) =>
  person.call({
    method: 'POST',
    url: `/api/${noun}`,
    payload: body,
    headers: { 'idempotency-key': key },
  });

const total = async (noun = 'threats'): Promise<number> => (await ada.get(`/api/${noun}`)).json().total;

describe('a creation with an Idempotency-Key', () => {
  it.each(['projects', 'assets', 'threats', 'vulnerabilities'])(
    'that is repeated answers with the record, and creates none: %s',
    async (noun) => {
      const bodies: Record<string, object> = {
        projects: { ...threat, startDate: '2026-01-01' },
        assets: { ...threat, assetTypeId: 1, projectId: (await makeProject(ada))._id },
        vulnerabilities: { ...threat, severity: 5 },
      };
      const body = bodies[noun] ?? threat;
      const before = await total(noun);
      const key = newId();
      const first = await create(ada, key, { noun, body });
      const entries = await logged(api, ada.user.organizationId);
      api.relay.published.length = 0;
      const again = await create(ada, key.toUpperCase(), { noun, body: { ...body, name: 'Other' } });
      expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
      expect([again.headers.etag, again.headers.location]).toEqual([
        first.headers.etag,
        `/api/${noun}/${first.json()._id}`,
      ]);
      expect(await total(noun)).toBe(before + 1);
      expect(publishedChanges(api)).toEqual([]);
      expect(await logged(api, ada.user.organizationId)).toEqual(entries);
    },
  );

  it('creates one record when the repeats arrive together', async () => {
    const key = newId();
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(ada, key)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.json()._id)).size).toBe(1);
    expect(await total()).toBe(1);
  });

  it('that was deleted since is refused, and the record stays in the trash', async () => {
    const key = newId();
    const id = (await create(ada, key)).json()._id;
    await ada.delete(`/api/threats/${id}`);
    const again = await create(ada, key);
    expect([again.statusCode, again.json().message]).toEqual([
      409,
      'This threat was created before and has been deleted since.',
    ]);
    expect(await total()).toBe(0);
    expect((await ada.post('/api/threats/restore', { ids: [id] })).json()).toMatchObject({
      restoredCount: 1,
    });
    expect((await create(ada, key)).json()._id).toBe(id);
  });

  it('creates another record for another account, organization or noun', async () => {
    const key = newId();
    const own = (await create(ada, key)).json()._id;
    const { headers, remoteAddress } = await bySession(
      api,
      await makeMember(api, ada.user.organizationId, 'analyst'),
    );
    const stranger = await signUp(api);
    const ofColleague = await api.app.inject({
      method: 'POST',
      url: '/api/threats',
      payload: threat,
      headers: { ...headers, 'idempotency-key': key },
      remoteAddress,
    });
    const others = [ofColleague, await create(stranger, key)];
    const body = { ...threat, severity: 5 };
    others.push(await create(ada, key, { noun: 'vulnerabilities', body }));
    expect(others.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
    expect(new Set([own, ...others.map((answer) => answer.json()._id)]).size).toBe(4);
    expect((await ada.get(`/api/threats/${own}`)).json()).toMatchObject({ version: 1 });
  });

  it.each([
    ['no UUID', 'once'],
    ['a UUID of another version', '9b2d7a5e-3a44-4b0f-8a52-3f0d2f1c9a11'],
    ['a time in the future', 'ffffffff-0000-7000-8000-000000000000'],
    ['an old time', '01900000-0000-7000-8000-000000000000'],
  ])('ignores a key with %s', async (_what, key) => {
    await create(ada, key);
    await create(ada, key);
    expect(await total()).toBe(2);
  });
});
