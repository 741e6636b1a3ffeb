import type { OrganizationEvent } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAsset, makeProject, put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let quay: string;
let crane: string;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  const project = await makeProject(ada);
  quay = (await makeAsset(ada, project._id, { name: 'Quay' }))._id;
  crane = (await makeAsset(ada, project._id, { name: 'Crane' }))._id;
  api.relay.published.length = 0;
});
afterAll(() => api.close());

/** Events about assets since the last call: action and ids. */
function assetEvents(): [string, string[]][] {
  const events = api.relay.published.map(({ message }) => message as OrganizationEvent);
  api.relay.published.length = 0;
  return events.flatMap((event) =>
    event.type === 'asset.changed' ? [[event.action, (event.ids ?? []).toSorted()]] : [],
  );
}
const updated = (...ids: string[]): [string, string[]][] => [['updated', ids.toSorted()]];

it.each([
  ['threats', { name: 'Night Pilots', description: 'd', threatTypeId: 1 }],
  ['vulnerabilities', { name: 'Crane firmware', description: 'd', severity: 9 }],
])(
  'every change of the relations of %s is published for the assets whose scores follow',
  async (noun, record) => {
    const { _id } = (await ada.post(`/api/${noun}`, { ...record, relatedAssets: [quay] })).json<{
      _id: string;
    }>();
    expect(assetEvents()).toEqual(updated(quay));
    await put(ada, `/api/${noun}/${_id}`, { relatedAssets: [crane] });
    expect(assetEvents()).toEqual(updated(quay, crane));
    await put(ada, `/api/${noun}/${_id}`, { name: 'Another name' });
    expect(assetEvents()).toEqual([]);
    await put(ada, `/api/${noun}/bulk`, { ids: [_id], change: { addAssets: [quay], removeAssets: [crane] } });
    expect(assetEvents()).toEqual(updated(quay, crane));
    await ada.delete(`/api/${noun}/${_id}`);
    expect(assetEvents()).toEqual(updated(quay));
    await ada.post(`/api/${noun}/restore`, { ids: [_id] });
    expect(assetEvents()).toEqual(updated(quay));
    await ada.delete(`/api/${noun}/bulk`, { ids: [_id] });
    expect(assetEvents()).toEqual(updated(quay));
  },
);

it('an asset is published with its new score, without a new version of it', async () => {
  const read = async () =>
    (await ada.get(`/api/assets/${quay}`)).json<{ version: number; riskScore: number; health: string }>();
  await ada.post('/api/threats', { name: 'T', description: 'd', threatTypeId: 1, relatedAssets: [quay] });
  expect(await read()).toMatchObject({ version: 1, riskScore: 0.2, health: 'Warning' });
  expect((await put(ada, `/api/assets/${quay}`, { criticality: 3 }, '"1"')).statusCode).toBe(200);
});
