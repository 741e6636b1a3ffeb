import type { Vignette } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { makeVignette, shop, shopCell, uploadVignette, vignetteUrl as url } from '../testing/vignettes.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

const put = (id: string, body: object, version?: number) =>
  ada.call({
    method: 'PUT',
    url: `${url}/${id}`,
    body,
    headers: { 'if-match': version === undefined ? undefined : `"${version}"` },
  });
const withRating = (subscore: number) => ({ ...shop, scorecard: [{ ...shopCell, subscore }] });
const statuses = (answers: readonly { statusCode: number }[]) =>
  answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);

describe('vignettes at the same time', () => {
  it('uploaded with one new name are one created and the others replaced, with consecutive versions', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((subscore) => uploadVignette(ada, withRating(subscore))),
    );
    const replies = answers.map((answer) => answer.json<{ _id: string; action: string; version: number }>());
    expect(replies.map(({ action }) => action).toSorted()).toEqual([
      'created',
      ...Array.from({ length: 7 }, () => 'replaced'),
    ]);
    expect(new Set(replies.map(({ _id }) => _id)).size).toBe(1);
    expect(replies.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const { version, versions } = (await ada.get(`${url}/${replies[0]?._id}`)).json<Vignette>();
    expect([version, versions.map((one) => one.version)]).toEqual([8, [8, 7, 6, 5, 4, 3, 2, 1]]);
  });

  it('created with one name are one, and the others answer 409', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => ada.post(url, shop)));
    expect(statuses(answers)).toEqual([201, 409, 409]);
  });

  it('changed from one version are one change, and the others answer 412', async () => {
    const id = await makeVignette(api, ada, withRating(1));
    const answers = await Promise.all([2, 3, 4].map((subscore) => put(id, withRating(subscore), 1)));
    expect(statuses(answers)).toEqual([200, 412, 412]);
  });

  it('changed and deleted are both done or answer 404, and nothing remains', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await makeVignette(api, ada, { name: `Shop ${round}` });
      const [changed, deleted] = await Promise.all([
        put(id, { ...shop, name: 'New' }),
        ada.delete(`${url}/${id}`),
      ]);
      expect(deleted.statusCode).toBe(200);
      expect([200, 404]).toContain(changed.statusCode);
      expect((await ada.get(`${url}/${id}`)).statusCode).toBe(404);
    }
    const left = await asWorker(api, ada).inside((trx) =>
      trx.selectFrom('vignette_version').select('version').where('created_by', '=', ada.user._id).execute(),
    );
    expect(left).toEqual([]);
  });

  it('can exchange their names one after the other, and at once without waiting for each other', async () => {
    const [a, b] = [await makeVignette(api, ada, { name: 'A' }), await makeVignette(api, ada, { name: 'B' })];
    const answers = await Promise.all([put(a, { ...shop, name: 'B' }), put(b, { ...shop, name: 'A' })]);
    expect(statuses(answers)).toEqual([409, 409]);
    expect((await put(a, { ...shop, name: 'C' })).statusCode).toBe(200);
    expect((await put(b, { ...shop, name: 'A' })).statusCode).toBe(200);
    expect((await put(a, { ...shop, name: 'B' })).statusCode).toBe(200);
  });
});

describe('scores that apply a vignette', () => {
  /** A vulnerability whose newest score applies the vignette. */
  const scored = (vignetteId: string, name: string) =>
    asWorker(api, ada).inside(async (trx) => {
      const id = newId();
      await trx
        .insertInto('vulnerability')
        .values({
          organization_id: ada.user.organizationId,
          id,
          name,
          cwss_score: 50,
          cwss_version: 1,
          cwss_vignette_id: vignetteId,
          applied_vignette: 'Shop of a test',
        })
        .execute();
      return id;
    });
  const stateOf = (id: string) =>
    asWorker(api, ada).inside((trx) =>
      trx
        .selectFrom('vulnerability')
        .select(['cwss_state', 'cwss_stale', 'cwss_score', 'applied_vignette', 'version'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    );
  const stale = (reasons: string[]) => ({
    cwss_state: 'stale',
    cwss_stale: reasons,
    cwss_score: 50,
    applied_vignette: 'Shop of a test',
    version: 1,
  });
  const published = () => api.relay.published.map(({ message }) => message);

  it('are stale at once after a new version and a deletion, and keep the name at the calculation', async () => {
    const vignetteId = await makeVignette(api, ada);
    const [mine, other] = [
      await scored(vignetteId, 'A'),
      await scored(await makeVignette(api, ada, { name: 'Z' }), 'B'),
    ];
    const listed = (await ada.get(`${url}/${vignetteId}`)).json<Vignette>();
    expect(listed.vulnerabilities).toBe(1);
    await put(vignetteId, listed);
    expect(await stateOf(mine)).toMatchObject({ cwss_state: 'current' });
    api.relay.published.length = 0;
    expect((await put(vignetteId, { ...listed, name: 'Store' })).statusCode).toBe(200);
    expect(await stateOf(mine)).toEqual(stale(['vignette']));
    expect(published()).toMatchObject([
      { type: 'vignette.changed', action: 'updated', ids: [vignetteId] },
      { type: 'vulnerability.changed', action: 'updated', by: ada.user._id, count: 1, ids: [mine] },
    ]);
    api.relay.published.length = 0;
    await uploadVignette(ada, { ...shop, name: 'store' });
    expect(await stateOf(mine)).toEqual(stale(['vignette']));
    expect(published()).toMatchObject([{ type: 'vignette.changed', action: 'updated' }]);
    await ada.delete(`${url}/${vignetteId}`);
    expect(await stateOf(mine)).toEqual(stale(['vignette', 'vignette-deleted']));
    expect(published().at(-1)).toMatchObject({ type: 'vulnerability.changed', ids: [mine] });
    expect(await stateOf(other)).toMatchObject({ cwss_state: 'current' });
  });

  it('are counted in the list, and those in the trash are not', async () => {
    const vignetteId = await makeVignette(api, ada);
    await scored(vignetteId, 'A');
    const trashed = await scored(vignetteId, 'B');
    await ada.delete(`/api/vulnerabilities/${trashed}`);
    const { items } = (await ada.get(`${url}?vulnerabilitiesMin=1&sort=-vulnerabilities`)).json<{
      items: Vignette[];
    }>();
    expect(items.map(({ _id, vulnerabilities }) => [_id, vulnerabilities])).toEqual([[vignetteId, 1]]);
  });
});
