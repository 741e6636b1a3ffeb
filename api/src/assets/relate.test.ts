import type { ActivityEntry, AssetDetail, ErrorReply, VulnerabilityDetail } from '@riskboard/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  makeAsset,
  makeProject,
  makeRecords,
  names,
  put,
  publishedChanges,
} from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let projectId: string;
let asset: AssetDetail;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  projectId = (await makeProject(ada))._id;
  asset = await makeAsset(ada, projectId);
  api.relay.published.length = 0;
});
afterAll(() => api.close());

const relate = (body: object, id = asset._id) => ada.post(`/api/assets/${id}/relations`, body);
const read = async (id = asset._id): Promise<AssetDetail> =>
  (await ada.get(`/api/assets/${id}`)).json<AssetDetail>();
const vulnerability = async (id: string): Promise<VulnerabilityDetail> =>
  (await ada.get(`/api/vulnerabilities/${id}`)).json<VulnerabilityDetail>();
const log = async (): Promise<ActivityEntry[]> =>
  (await ada.get('/api/activity?sort=at&pageSize=500')).json<{ activity: ActivityEntry[] }>().activity;
const nothing = { threats: [], vulnerabilities: [] };

describe('records that are related to an asset', () => {
  it('count in its health and score at once, and show it as related', async () => {
    const threats = await makeRecords(api, ada, { table: 'threat', names: ['Flood'] });
    const vulnerabilities = await makeRecords(api, ada, {
      table: 'vulnerability',
      names: ['a', 'b', 'c', 'd'],
    });
    const answer = await relate({ add: { threats, vulnerabilities } });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      added: { threats, vulnerabilities: expect.arrayContaining(vulnerabilities) as unknown },
      removed: nothing,
    });
    // (0.5 x 1 + 0.7 x 4) / 3
    expect(await read()).toMatchObject({
      threatCount: 1,
      vulnerabilityCount: 4,
      health: 'Critical',
      riskScore: 1.1,
      version: 1,
      threats: [{ name: 'Flood' }],
    });
    expect(await vulnerability(vulnerabilities[0] ?? '')).toMatchObject({
      version: 2,
      relatedAssets: [{ _id: asset._id }],
      updatedBy: 'Ada',
    });
    expect(publishedChanges(api).toSorted()).toEqual([
      'asset.changed updated 1',
      'threat.changed updated 1',
      'vulnerability.changed updated 4',
    ]);
  });

  it('are logged for the asset and for the records', async () => {
    const [id = ''] = await makeRecords(api, ada, { table: 'vulnerability', names: ['Leak'] });
    const threats = await makeRecords(api, ada, { table: 'threat', names: ['Flood', 'Fire'] });
    await relate({ add: { threats, vulnerabilities: [id] } });
    const name = { from: '', to: 'Gate server' };
    expect((await log()).slice(-3)).toMatchObject([
      {
        action: 'threat.updated-many',
        nounId: null,
        name: '2 threats',
        detail: { count: 2, changes: { addedAssets: name } },
      },
      {
        action: 'vulnerability.updated',
        nounId: id,
        name: 'Leak',
        detail: { changes: { addedAssets: name } },
      },
      {
        action: 'asset.updated',
        nounId: asset._id,
        detail: {
          changes: { threats: { from: '', to: 'Fire, Flood' }, vulnerabilities: { from: '', to: 'Leak' } },
        },
      },
    ]);
    await relate({ remove: { threats: threats.slice(1) } });
    expect((await log()).at(-1)?.detail).toEqual({ changes: { threats: { from: 'Fire', to: '' } } });
  });

  it('lose the relation when it is removed; the reply names what to relate again', async () => {
    const vulnerabilities = await makeRecords(api, ada, {
      table: 'vulnerability',
      names: ['a', 'b'],
      assets: [asset._id],
    });
    const [first = '', second = ''] = vulnerabilities;
    const removed = await relate({ remove: { vulnerabilities: [first] } });
    expect(removed.json()).toEqual({ added: nothing, removed: { threats: [], vulnerabilities: [first] } });
    expect(names((await read()).vulnerabilities)).toEqual(['b']);
    await relate({ add: removed.json<{ removed: object }>().removed });
    expect(await read()).toMatchObject({ vulnerabilityCount: 2 });
    expect((await vulnerability(first)).version).toBe(3);
    expect((await vulnerability(second)).version).toBe(1);
  });

  it('that are related already change no version, log entry or event', async () => {
    const vulnerabilities = await makeRecords(api, ada, {
      table: 'vulnerability',
      names: ['a'],
      assets: [asset._id],
    });
    const entries = (await log()).length;
    const [id = ''] = vulnerabilities;
    expect((await relate({ add: { vulnerabilities: [id, id.toUpperCase()] } })).json()).toEqual({
      added: nothing,
      removed: nothing,
    });
    expect((await relate({ remove: { threats: [strangeId()] } })).json()).toMatchObject({ removed: nothing });
    expect((await vulnerability(id)).version).toBe(1);
    expect(await log()).toHaveLength(entries);
    expect(publishedChanges(api)).toEqual([]);
  });

  it('of a report keep the relation in the next extraction: it counts as edited', async () => {
    const [id = ''] = await makeRecords(api, ada, {
      table: 'vulnerability',
      names: ['a'],
      columns: { key: 'cve:CVE-2024-1' },
    });
    await relate({ add: { vulnerabilities: [id] } });
    const row = await rowMaker(api, ada).inside((trx) =>
      trx.selectFrom('vulnerability').select('edited_fields').where('id', '=', id).executeTakeFirst(),
    );
    expect(row?.edited_fields).toEqual(['related_assets']);
  });

  it('of a report that are removed again count as unedited: they are deleted with their report', async () => {
    const rows = rowMaker(api, ada);
    const { id, fileId } = await rows.imported('vulnerability', { key: 'cve:CVE-2024-2' });
    await relate({ add: { vulnerabilities: [id] } });
    await relate({ remove: { vulnerabilities: [id] } });
    expect((await vulnerability(id)).version).toBe(3);
    expect((await ada.delete(`/api/reports/files/${fileId}`)).statusCode).toBe(200);
    expect((await ada.get(`/api/vulnerabilities/${id}`)).statusCode).toBe(404);
  });

  it.each([
    ['an unknown threat', { add: { threats: [strangeId()] } }, 'add.threats'],
    ['an unknown vulnerability', { add: { vulnerabilities: [strangeId()] } }, 'add.vulnerabilities'],
    ['an id that is not valid', { add: { vulnerabilities: ['x'] } }, 'add.vulnerabilities.0'],
    ['nothing', {}, ''],
    ['empty lists', { add: { threats: [] } }, ''],
    ['more than 1,000', { add: { threats: Array.from({ length: 1001 }, () => strangeId()) } }, 'add.threats'],
  ])('are refused: %s', async (_case, body, path) => {
    const answer = await relate(body);
    expect([answer.statusCode, answer.json<ErrorReply>().details?.[0]?.path]).toEqual([422, path]);
  });

  it('and the asset must be of the organization, and the user an analyst', async () => {
    const eve = await signUp(api);
    const [theirs = ''] = await makeRecords(api, eve, { table: 'threat', names: ['x'] });
    const [mine = ''] = await makeRecords(api, ada, { table: 'threat', names: ['y'] });
    expect((await relate({ add: { threats: [theirs] } })).statusCode).toBe(422);
    expect((await relate({ add: { threats: [mine] } }, strangeId())).statusCode).toBe(404);
    expect(
      (await eve.post(`/api/assets/${asset._id}/relations`, { add: { threats: [theirs] } })).statusCode,
    ).toBe(404);
    expect((await read()).threatCount).toBe(0);
  });
});

describe('a bulk edit of assets', () => {
  it('relates records to all of them, with one new version of each record', async () => {
    const other = await makeAsset(ada, projectId, { name: 'Quay server' });
    const vulnerabilities = await makeRecords(api, ada, { table: 'vulnerability', names: ['a', 'b'] });
    const threats = await makeRecords(api, ada, { table: 'threat', names: ['t'], assets: [asset._id] });
    api.relay.published.length = 0;
    const change = { addVulnerabilities: vulnerabilities, removeThreats: threats };
    const answer = await put(ada, '/api/assets/bulk', { filter: { projectId: [projectId] }, change });
    expect(answer.json()).toMatchObject({ updatedCount: 2, unchangedCount: 0 });
    expect(await read()).toMatchObject({ vulnerabilityCount: 2, threatCount: 0 });
    expect(await read(other._id)).toMatchObject({ vulnerabilityCount: 2 });
    expect(await vulnerability(vulnerabilities[0] ?? '')).toMatchObject({
      version: 2,
      relatedAssets: [{}, {}],
    });
    expect(publishedChanges(api).toSorted()).toEqual([
      'asset.changed updated 2',
      'threat.changed updated 1',
      'vulnerability.changed updated 2',
    ]);
    const again = await put(ada, '/api/assets/bulk', { ids: [asset._id, other._id], change });
    expect(again.json()).toMatchObject({ updatedCount: 0, unchangedCount: 2 });
    expect((await log()).filter(({ action }) => action === 'asset.updated-many')).toMatchObject([
      {
        name: '2 assets',
        detail: { changes: { threats: { from: 't', to: '' }, vulnerabilities: { from: '', to: 'a, b' } } },
      },
    ]);
  });

  it('refuses records that do not exist, and names them', async () => {
    const [one, another] = [strangeId(), strangeId()];
    const related = await put(ada, '/api/assets/bulk', { ids: [asset._id], change: { addThreats: [one] } });
    expect([related.statusCode, related.json<ErrorReply>().details]).toEqual([
      422,
      [{ path: 'change.addThreats', message: `This threat does not exist: ${one}.` }],
    ]);
    const added = await ada.post(`/api/assets/${asset._id}/relations`, {
      add: { vulnerabilities: [one, another] },
    });
    expect(added.json<ErrorReply>().details).toEqual([
      { path: 'add.vulnerabilities', message: `These vulnerabilities do not exist: ${one}, ${another}.` },
    ]);
  });
});
