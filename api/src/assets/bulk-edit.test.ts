import type { ActivityEntry, Asset, AssetDetail, ErrorReply } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAsset, makeProject, makeRecords, publishedChanges, put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let projectId: string;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  projectId = (await makeProject(ada))._id;
  api.relay.published.length = 0;
});
afterAll(() => api.close());

const edit = (body: object) => put(ada, '/api/assets/bulk', body);
const read = async (id: string) => (await ada.get(`/api/assets/${id}`)).json<AssetDetail>();
const metrics = async () => (await ada.get('/api/assets/metrics')).json<Record<string, number>>();
const list = async (query = '') =>
  (await ada.get(`/api/assets?pageSize=500&${query}`)).json<{ assets: Asset[]; total: number }>();
const lastEntry = async () =>
  (await ada.get('/api/activity?noun=assets')).json<{ activity: ActivityEntry[] }>().activity[0];

describe('a bulk edit of assets', () => {
  it('sets every field that it names, and the score follows', async () => {
    const made = [await makeAsset(ada, projectId), await makeAsset(ada, projectId)];
    const other = await makeProject(ada, { name: 'Quay' });
    const ids = made.map(({ _id }) => _id);
    const change = {
      criticality: 5,
      assetTypeId: 3,
      isActive: false,
      projectId: other._id,
      confidentialityLevel: 5,
      integrityLevel: 4,
      availabilityLevel: 1,
    };
    const answer = await edit({ ids: [...ids, strangeId()], change });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      success: true,
      updatedCount: 2,
      unchangedCount: 0,
      message: '2 assets changed.',
    });
    for (const { _id, version } of made)
      expect(await read(_id)).toMatchObject({
        ...change,
        projectName: 'Quay',
        riskScore: 6.7,
        version: version + 1,
      });
    expect(publishedChanges(api).at(-1)).toBe('asset.changed updated 2');
    expect(await lastEntry()).toMatchObject({
      action: 'asset.updated-many',
      nounId: null,
      name: '2 assets',
      detail: {
        count: 2,
        changes: { project: { from: 'Harbour', to: 'Quay' }, isActive: { from: true, to: false } },
      },
    });
    expect(JSON.stringify(await lastEntry())).not.toContain(other._id);
  });

  it('by a filter on a derived column changes exactly the rows that the list shows under it', async () => {
    const high = await makeAsset(ada, projectId, {
      criticality: 5,
      confidentialityLevel: 5,
      integrityLevel: 4,
      availabilityLevel: 4,
    });
    const low = await makeAsset(ada, projectId, { criticality: 1 });
    const filter = { status: ['at-risk'], riskScoreMin: 7 };
    expect((await edit({ filter, change: { isActive: false } })).json()).toMatchObject({ updatedCount: 1 });
    expect(await read(high._id)).toMatchObject({ isActive: false });
    expect(await read(low._id)).toMatchObject({ isActive: true, version: low.version });
  });

  it('keeps the version of assets that have the values already, and neither logs nor publishes', async () => {
    const made = await makeAsset(ada, projectId, { criticality: 2 });
    const before = [api.relay.published.length, await lastEntry()];
    const answer = await edit({ ids: [made._id], change: { criticality: 2, projectId } });
    expect(answer.json()).toMatchObject({ updatedCount: 0, unchangedCount: 1 });
    expect(await read(made._id)).toMatchObject({ version: made.version });
    expect([api.relay.published.length, await lastEntry()]).toEqual(before);
  });

  it('clears a level', async () => {
    const made = await makeAsset(ada, projectId, { criticality: 2 });
    await edit({ ids: [made._id], change: { criticality: '' } });
    expect(await read(made._id)).toMatchObject({ criticality: null, riskScore: 0 });
  });

  it.each([
    ['criticality', 6],
    ['assetTypeId', ''],
    ['isActive', 'no'],
    ['integrityLevel', 5],
    ['projectId', 'x'],
    ['name', 'Renamed'],
    ['addAssets', []],
  ])('with %s of %j is refused and changes nothing', async (field, value) => {
    const made = await makeAsset(ada, projectId);
    expect((await edit({ ids: [made._id], change: { [field]: value } })).statusCode).toBe(422);
    expect(await read(made._id)).toMatchObject({ version: made.version });
  });

  it("refuses a project of another organization, and does not change another organization's assets", async () => {
    const bob = await signUp(api);
    const theirs = await makeProject(bob);
    const their = await makeAsset(bob, theirs._id);
    const mine = await makeAsset(ada, projectId);
    for (const unknown of [theirs._id, strangeId()]) {
      const answer = await edit({ ids: [mine._id], change: { projectId: unknown } });
      expect(answer.statusCode).toBe(422);
      expect(answer.json<ErrorReply>().details).toEqual([
        { path: 'change.projectId', message: 'This project does not exist.' },
      ]);
    }
    const answer = await edit({ ids: [their._id], change: { criticality: 5 } });
    expect(answer.json()).toMatchObject({ updatedCount: 0, unchangedCount: 0 });
    expect((await bob.get(`/api/assets/${their._id}`)).json()).toMatchObject({ version: their.version });
  });

  it('above 500 becomes a job that has the columns and the selection', async () => {
    const rows = rowMaker(api, ada);
    await rows.inside((trx) =>
      sql`
        insert into asset (organization_id, id, project_id, name, description, asset_type_id)
        select current_organization(), gen_random_uuid(), ${projectId}, 'No. ' || n, '', 1
        from generate_series(1, 501) n`.execute(trx),
    );
    const answer = await edit({ filter: { assetTypeId: ['1'] }, change: { criticality: 4 } });
    expect(answer.statusCode).toBe(202);
    const { jobId } = answer.json<{ jobId: string }>();
    expect(api.producer.enqueued.map(({ id }) => id)).toContain(jobId);
    const { rows: jobs } = await rows.inside((trx) =>
      sql<{ payload: object }>`select payload from job where id = ${jobId}`.execute(trx),
    );
    expect(jobs[0]?.payload).toEqual({
      noun: 'assets',
      filter: { assetTypeId: ['1'] },
      runningTransactions: expect.any(Array) as unknown,
      change: { columns: { criticality: 4 }, addAssets: [], removeAssets: [] },
    });
    expect(await list('criticality=4')).toMatchObject({ total: 0 });
  });
});

describe('the asset metrics', () => {
  it('count levels of 4 and more and assets at risk, each exactly as many as the list behind it', async () => {
    expect(await metrics()).toEqual({
      total: 0,
      atRisk: 0,
      criticality: 0,
      confidentiality: 0,
      integrity: 0,
    });
    const levels = [null, 1, 3, 4, 5];
    for (const level of levels)
      await makeAsset(ada, projectId, {
        criticality: level ?? '',
        confidentialityLevel: level ?? '',
        integrityLevel: level === null ? '' : Math.min(level, 4),
        availabilityLevel: level === 5 ? 4 : '',
      });
    const threatened = await makeAsset(ada, projectId, { name: 'Threatened' });
    await makeRecords(api, ada, {
      table: 'threat',
      names: ['1', '2', '3', '4', '5', '6'],
      assets: [threatened._id],
    });
    const counts = await metrics();
    expect(counts).toEqual({ total: 6, atRisk: 2, criticality: 2, confidentiality: 2, integrity: 2 });
    const lists = {
      total: '',
      atRisk: 'status=at-risk',
      criticality: 'criticalityMin=4',
      confidentiality: 'confidentialityLevelMin=4',
      integrity: 'integrityLevelMin=4',
    };
    for (const [name, query] of Object.entries(lists))
      expect({ [name]: (await list(query)).total }).toEqual({ [name]: counts[name] });
  });
});
