import type { ServedEndpoint } from '@riskboard/contract';
import { contract } from '@riskboard/contract/schemas';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whileHeld } from '../../testing/held-row.ts';
import { makeAsset, makeProject, put } from '../../testing/make-records.ts';
import { makeVignette } from '../../testing/vignettes.ts';
import { type Person, signUp } from '../../testing/person.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
});
afterAll(() => api.close());

const posted = async (url: string, body: object): Promise<string> =>
  (await ada.post(url, body)).json<{ _id: string }>()._id;

/** Creates a record of version 1, by the path of the endpoint that deletes it. */
const makers: Record<string, () => Promise<string>> = {
  '/api/vulnerabilities/:id': () =>
    posted('/api/vulnerabilities', { name: 'Leak', description: 'x', severity: 5 }),
  '/api/threats/:id': () => posted('/api/threats', { name: 'Phish', description: 'x' }),
  '/api/projects/:id': async () => (await makeProject(ada))._id,
  '/api/assets/:id': async () => (await makeAsset(ada, (await makeProject(ada))._id))._id,
  '/api/reports/vignette/:id': () => makeVignette(api, ada),
  '/api/alerts/rules/:id': () => posted('/api/alerts/rules', { kind: 'import-failed', name: 'Imports' }),
  '/api/alerts/webhooks/:id': () =>
    posted('/api/alerts/webhooks', { name: 'Chat', url: 'https://hooks.example.org/x' }),
};

const deletions = Object.values(contract)
  .flatMap((table): ServedEndpoint[] => Object.values(table))
  .filter(({ method, versioned }) => method === 'DELETE' && versioned);

const remove = (url: string, version: string) =>
  ada.call({ method: 'DELETE', url, headers: { 'if-match': version } });

describe('If-None-Match', () => {
  const ask = (url: string, tags: string) =>
    ada.call({ method: 'GET', url, headers: { 'if-none-match': tags } });

  it.each([
    (etag: string) => etag,
    (etag: string) => `W/${etag}`,
    (etag: string) => `"7", ${etag}`,
    () => '*',
  ])('with the tag of an unchanged record gets 304 without a body: %s', async (tagsOf) => {
    const url = `/api/threats/${await posted('/api/threats', { name: 'Phish', description: 'x' })}`;
    const etag = String((await ada.get(url)).headers.etag);
    expect(etag).toMatch(/^"1-[\w-]{16}"$/u);
    const tags = tagsOf(etag);
    const unchanged = await ask(url, tags);
    expect([unchanged.statusCode, unchanged.headers.etag, unchanged.body]).toEqual([304, etag, '']);
    expect('content-type' in unchanged.headers).toBe(false);
    await put(ada, url, { name: 'Spear phish' });
    if (tags !== '*') expect((await ask(url, tags)).json()).toMatchObject({ name: 'Spear phish' });
  });

  it.each([(etag: string) => etag, () => '*'])('answers HEAD with 304 like GET: %s', async (tagsOf) => {
    const url = `/api/threats/${await posted('/api/threats', { name: 'Phish', description: 'x' })}`;
    const headers = { 'if-none-match': tagsOf(String((await ada.get(url)).headers.etag)) };
    const [shown, head] = [
      await ada.call({ method: 'GET', url, headers }),
      await ada.call({ method: 'HEAD', url, headers }),
    ];
    expect([head.statusCode, head.headers.etag, head.body]).toEqual([304, shown.headers.etag, '']);
    expect(Object.keys(head.headers).toSorted()).toEqual(Object.keys(shown.headers).toSorted());
  });

  it('has the tag of GET in a reply to HEAD', async () => {
    const url = `/api/threats/${await posted('/api/threats', { name: 'Phish', description: 'x' })}`;
    const { etag } = (await ada.get(url)).headers;
    expect((await ada.call({ method: 'HEAD', url })).headers.etag).toBe(etag);
  });

  it('shows a record whose version is the same but whose related records changed', async () => {
    const asset = await makeAsset(ada, (await makeProject(ada))._id);
    const body = { name: 'Leak', description: 'x', severity: 5, relatedAssets: [asset._id] };
    const url = `/api/vulnerabilities/${await posted('/api/vulnerabilities', body)}`;
    const etag = String((await ada.get(url)).headers.etag);
    await ada.delete(`/api/assets/${asset._id}`);
    const now = await ask(url, etag);
    expect([now.statusCode, now.json()]).toMatchObject([200, { version: 1, relatedAssets: [] }]);
    expect(now.headers.etag).not.toBe(etag);
    // Its version is still the current one.
    const headers = { 'if-match': etag };
    const changed = await ada.call({ method: 'PUT', url, headers, payload: { name: 'Leak 2' } });
    expect([changed.statusCode, changed.headers.etag]).toEqual([200, '"2"']);
    expect((await ada.call({ method: 'PUT', url, headers, payload: { name: 'Leak 3' } })).statusCode).toBe(
      412,
    );
  });

  it.each(['*', '"1"', '"1-0123456789abcdef"'])(
    '%s refuses a change of a record of version 1',
    async (tags) => {
      const url = `/api/threats/${await posted('/api/threats', { name: 'Phish', description: 'x' })}`;
      const headers = { 'if-none-match': tags };
      const refused = await ada.call({ method: 'PUT', url, headers, payload: { name: 'Spear phish' } });
      expect([refused.statusCode, refused.headers.etag]).toEqual([412, '"1"']);
      expect((await ada.get(url)).json()).toMatchObject({ name: 'Phish' });
    },
  );
});

describe('a deletion with If-Match', () => {
  it.each(deletions.map(({ path }) => path))('of another version is refused at %s', async (path) => {
    const id = await makers[path]?.();
    const url = path.replace(':id', id ?? '');
    const stale = await remove(url, '"7"');
    expect([stale.statusCode, stale.headers.etag]).toEqual([412, '"1"']);
    expect(stale.json()).toMatchObject({ code: 'stale_version' });
    expect([(await remove(url, '"1"')).statusCode, (await remove(url, '"1"')).statusCode]).toEqual([
      200, 404,
    ]);
  });

  it('names the user who made the current version', async () => {
    const url = `/api/threats/${await posted('/api/threats', { name: 'Phish', description: 'x' })}`;
    await put(ada, url, { name: 'Spear phish' });
    expect((await remove(url, '"1"')).json()).toMatchObject({
      message: 'Ada changed this in the meantime.',
    });
  });

  it('is refused when the record changes while the deletion waits for it', async () => {
    const id = await posted('/api/threats', { name: 'Phish', description: 'x' });
    const url = `/api/threats/${id}`;
    const { organizationId } = ada.user;
    const [answer] = await whileHeld(
      api,
      {
        as: 'app',
        async take(trx) {
          await sql`select set_config('app.organization_id', ${organizationId}, true)`.execute(trx);
          await sql`update threat set version = version + 1 where id = ${id}`.execute(trx);
        },
      },
      [() => remove(url, '"1"')],
    );
    expect([answer?.statusCode, answer?.headers.etag]).toEqual([412, '"2"']);
    expect((await ada.get(url)).statusCode).toBe(200);
  });
});
