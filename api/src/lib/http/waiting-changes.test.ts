import { lockAssets, withOrganization } from '@riskboard/db';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAsset, makeProject } from '../../testing/make-records.ts';
import { type Person, signUp } from '../../testing/person.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
});
afterAll(() => api.close());

it('lists and records are answered while more changes wait for a lock than the organization has connections', async () => {
  const { _id } = await makeProject(ada, { name: 'Harbour' });
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = withOrganization(api.database, ada.user.organizationId, async (trx) => {
    await lockAssets(trx);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  let changed = 0;
  const changes = Array.from({ length: 6 }, async (_, n) => {
    await makeAsset(ada, _id, { name: `Crane ${n}` });
    changed += 1;
  });
  try {
    const urls = [`/api/projects/${_id}`, '/api/assets', '/api/overview/metrics', '/api/threats'];
    const replies = await Promise.all([...urls, ...urls].map((url) => ada.get(url)));
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 200));
    expect(changed).toBe(0);
  } finally {
    release.resolve();
  }
  await Promise.all([holder, ...changes]);
  expect(changed).toBe(6);
});
