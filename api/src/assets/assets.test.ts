import {
  type ActivityEntry,
  type Asset,
  type AssetDetail,
  assetList,
  type ErrorReply,
  importableFields,
} from '@riskboard/contract';
import { withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  makeAsset,
  makeProject,
  makeRecords,
  names,
  put,
  publishedChanges,
} from '../testing/make-records.ts';
import { csvLines } from '../testing/csv.ts';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../testing/person.ts';
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

const asset = { name: 'Gate server', description: 'Opens and closes', assetTypeId: 2 };
const create = (body: object, query = `?projectId=${projectId}`) => ada.post(`/api/assets${query}`, body);
const read = async (id: string): Promise<AssetDetail> =>
  (await ada.get(`/api/assets/${id}`)).json<AssetDetail>();
const list = async (query = '') =>
  (await ada.get(`/api/assets?${query}`)).json<{ assets: Asset[]; total: number; skipped: number }>();
const log = async (): Promise<ActivityEntry[]> =>
  (await ada.get('/api/activity?noun=assets&sort=at')).json<{ activity: ActivityEntry[] }>().activity;

describe('a new asset', () => {
  it('is active and healthy, with a risk score from its levels', async () => {
    const answer = await create(asset);
    expect(answer.statusCode).toBe(201);
    const made = answer.json<AssetDetail>();
    expect(made).toMatchObject({
      ...asset,
      projectId,
      projectName: 'Harbour',
      isActive: true,
      criticality: null,
      replacementCost: null,
      riskScore: 0,
      health: 'Healthy',
      threatCount: 0,
      vulnerabilityCount: 0,
      threats: [],
      vulnerabilities: [],
      relatedAssets: [],
      parentAssets: [],
      createdBy: ada.user._id,
      updatedBy: 'Ada',
      version: 1,
    });
    expect(answer.headers).toMatchObject({ etag: '"1"', location: `/api/assets/${made._id}` });
    expect(await read(made._id)).toEqual(made);
    expect(publishedChanges(api)).toEqual(['asset.changed created 1']);
    expect(await log()).toMatchObject([
      { action: 'asset.created', nounId: made._id, name: 'Gate server', detail: { project: 'Harbour' } },
    ]);
  });

  it('keeps every field of the form (spec 3)', async () => {
    const child = await makeAsset(ada, projectId, { name: 'Gate' });
    const fields = {
      ...asset,
      criticality: 5,
      replacementCost: 625_000,
      recoveryCost: 5000.5,
      confidentialityLevel: 5,
      confidentialityDescription: 'Codes',
      integrityLevel: 4,
      integrityDescription: 'Must not lie',
      availabilityLevel: 1,
      availabilityDescription: 'May sleep',
      reference: 'https://example.org/door',
      startDate: '2026-01-31',
      isActive: false,
    };
    const made = (await create({ ...fields, relatedAssets: [child._id] })).json<AssetDetail>();
    // (5 + 4 + 1 + 2 x 5) / 3
    expect(made).toMatchObject({
      ...fields,
      riskScore: 6.7,
      relatedAssets: [{ _id: child._id, name: 'Gate' }],
    });
  });

  it('has its name on one line, created and changed', async () => {
    const made = await makeAsset(ada, projectId, { name: '\nServer\r\neins\n' });
    expect(made.name).toBe('Server eins');
    const changed = await put(ada, `/api/assets/${made._id}`, { name: 'Server\nzwei' });
    expect(changed.json()).toMatchObject({ name: 'Server zwei' });
  });

  it.each([
    ['Pay\u202Eroll\u0007', 'Payroll'],
    ['Apache\u00A0Struts', 'Apache Struts'],
    ['Log\u200B4Shell', 'Log4Shell'],
  ])('named %j is stored and found as what is seen: %j', async (sent, seen) => {
    const { _id, name } = await makeAsset(ada, projectId, { name: sent });
    expect(name).toBe(seen);
    for (const search of [sent, seen]) {
      const query = new URLSearchParams({ search }).toString();
      expect((await ada.get(`/api/assets?${query}`)).json()).toMatchObject({ assets: [{ _id }] });
    }
  });

  it('stores blank numbers and dates as null', async () => {
    const blank = {
      criticality: '',
      replacementCost: '',
      recoveryCost: null,
      integrityLevel: '',
      startDate: '',
    };
    expect((await create({ ...asset, ...blank })).json()).toMatchObject({
      criticality: null,
      replacementCost: null,
      recoveryCost: null,
      integrityLevel: null,
      startDate: null,
    });
  });

  it.each([
    ['name', { ...asset, name: ' ' }],
    ['name', { ...asset, name: undefined }],
    ['description', { ...asset, description: '' }],
    ['description', { ...asset, description: undefined }],
    ['assetTypeId', { ...asset, assetTypeId: undefined }],
    ['assetTypeId', { ...asset, assetTypeId: '' }],
    ['assetTypeId', { ...asset, assetTypeId: 0 }],
    ['assetTypeId', { ...asset, assetTypeId: 7 }],
    ['assetTypeId', { ...asset, assetTypeId: 1.5 }],
    ['criticality', { ...asset, criticality: 0 }],
    ['criticality', { ...asset, criticality: 6 }],
    ['criticality', { ...asset, criticality: 2.5 }],
    ['confidentialityLevel', { ...asset, confidentialityLevel: 6 }],
    ['integrityLevel', { ...asset, integrityLevel: 5 }],
    ['integrityLevel', { ...asset, integrityLevel: 0 }],
    ['availabilityLevel', { ...asset, availabilityLevel: 5 }],
    ['replacementCost', { ...asset, replacementCost: -1 }],
    ['replacementCost', { ...asset, replacementCost: '5000' }],
    ['recoveryCost', { ...asset, recoveryCost: 2e12 }],
    ['startDate', { ...asset, startDate: 'soon' }],
    ['isActive', { ...asset, isActive: 'yes' }],
    ['relatedAssets.0', { ...asset, relatedAssets: ['x'] }],
    ['relatedAssets', { ...asset, relatedAssets: [strangeId()] }],
    ['projectId', { ...asset, projectId: 'x' }],
  ])('is refused by %s: %j', async (path, body) => {
    const answer = await create(body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details?.map((detail) => detail.path)).toEqual([path]);
    expect((await list()).total).toBe(0);
  });

  it('takes its project from the address, the body or both when they agree', async () => {
    for (const [query, body] of [
      [`?projectId=${projectId}`, asset],
      ['', { ...asset, projectId }],
      [`?projectId=${projectId}`, { ...asset, projectId }],
      [`?projectId=${projectId.toUpperCase()}`, { ...asset, projectId }],
    ] as const) {
      expect((await create(body, query)).json()).toMatchObject({ projectId });
    }
  });

  it.each([
    ['none', '', {}, 'Choose a project.'],
    [
      'two',
      () => `?projectId=${projectId}`,
      { projectId: strangeId() },
      'The address names another project.',
    ],
    ['an unknown project', `?projectId=${strangeId()}`, {}, 'This project does not exist.'],
    ['a project that is not an id, in the address', '?projectId=x', {}, 'Choose a project.'],
    ['an empty project, in the body', '', { projectId: '' }, 'Choose a project.'],
  ])('is refused with %s', async (_name, query, more, message) => {
    const answer = await create({ ...asset, ...more }, typeof query === 'string' ? query : query());
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details).toEqual([{ path: 'projectId', message }]);
  });
});

describe('records of another organization', () => {
  it('cannot be a project or related asset, and are not found', async () => {
    const eve = await signUp(api);
    const theirs = await makeAsset(eve, (await makeProject(eve))._id);
    const mine = await makeAsset(ada, projectId);
    const answers = async (theirProject: string, theirAsset: string) =>
      [
        await create(asset, `?projectId=${theirProject}`),
        await create({ ...asset, relatedAssets: [theirAsset] }),
        await put(ada, `/api/assets/${mine._id}`, { projectId: theirProject }),
        await put(ada, `/api/assets/${mine._id}`, { relatedAssets: [theirAsset] }),
        await put(ada, `/api/assets/${theirAsset}`, { name: 'mine now' }),
        await ada.get(`/api/assets/${theirAsset}`),
        await ada.get(`/api/assets/${theirAsset}/hierarchy`),
        await ada.delete(`/api/assets/${theirAsset}`),
        await ada.delete('/api/assets/bulk', { ids: [theirAsset] }),
        await ada.post('/api/assets/restore', { ids: [theirAsset] }),
        await ada.get(`/api/projects/${theirProject}`),
        await ada.delete(`/api/projects/${theirProject}`),
        await ada.get(`/api/assets?projectId=${theirProject}`),
      ].map((answer) => {
        const { requestId: _, ...said } = answer.json<Record<string, unknown>>();
        // A refusal names the asset as the request does.
        return JSON.stringify(said).replaceAll(theirAsset, 'the asset');
      });
    expect(await answers(theirs.projectId, theirs._id)).toEqual(await answers(strangeId(), strangeId()));
    expect((await eve.get(`/api/assets/${theirs._id}`)).json()).toEqual(theirs);
  });
});

describe('a change', () => {
  it('sets the given fields, logs user and values, and increments the version', async () => {
    const made = await makeAsset(ada, projectId, { criticality: 2 });
    const other = await makeProject(ada, { name: 'Quay' });
    const child = await makeAsset(ada, projectId, { name: 'Gate' });
    api.relay.published.length = 0;
    const body = {
      criticality: '',
      projectId: other._id,
      relatedAssets: [{ _id: child._id }],
      isActive: false,
    };
    const answer = await put(ada, `/api/assets/${made._id}`, body, '"1"');
    expect([answer.statusCode, answer.headers.etag]).toEqual([200, '"2"']);
    expect(answer.json()).toMatchObject({
      name: made.name,
      criticality: null,
      projectName: 'Quay',
      relatedAssets: [{ _id: child._id }],
      isActive: false,
      version: 2,
    });
    expect(publishedChanges(api)).toEqual(['asset.changed updated 1']);
    expect((await log()).at(-1)).toMatchObject({
      action: 'asset.updated',
      name: made.name,
      detail: {
        changes: {
          criticality: { from: 2, to: null },
          projectId: { from: projectId, to: other._id },
          project: { from: 'Harbour', to: 'Quay' },
          relatedAssets: { from: '', to: 'Gate' },
          isActive: { from: true, to: false },
        },
      },
    });
  });

  it('without a difference changes no version, activity log or other record', async () => {
    const child = await makeAsset(ada, projectId);
    const made = await makeAsset(ada, projectId, { relatedAssets: [child._id], recoveryCost: 0.1 });
    const entries = (await log()).length;
    api.relay.published.length = 0;
    const same = { ...asset, projectId, recoveryCost: 0.1, startDate: null, relatedAssets: [child._id] };
    expect((await put(ada, `/api/assets/${made._id}`, same)).json()).toEqual(made);
    expect(publishedChanges(api)).toEqual([]);
    expect(await log()).toHaveLength(entries);
  });

  it('on an old version is refused and names the user who saved first', async () => {
    const { _id } = await makeAsset(ada, projectId);
    await put(ada, `/api/assets/${_id}`, { name: 'Quay' }, '"1"');
    const answer = await put(ada, `/api/assets/${_id}`, { name: 'Dock' }, '"1"');
    expect([answer.statusCode, answer.headers.etag]).toEqual([412, '"2"']);
    expect(answer.json<ErrorReply>().message).toBe('Ada changed this in the meantime.');
    expect((await read(_id)).name).toBe('Quay');
  });

  it.each([
    ['name', { name: '' }],
    ['description', { description: ' ' }],
    ['assetTypeId', { assetTypeId: '' }],
    ['projectId', { projectId: '' }],
    ['projectId', { projectId: strangeId() }],
    ['integrityLevel', { integrityLevel: 5 }],
  ])('of %s to an empty or invalid value is refused', async (path, body) => {
    const { _id } = await makeAsset(ada, projectId);
    const answer = await put(ada, `/api/assets/${_id}`, body);
    expect([answer.statusCode, answer.json<ErrorReply>().details?.[0]?.path]).toEqual([422, path]);
  });

  it('of an unknown record is 404', async () => {
    expect((await put(ada, `/api/assets/${strangeId()}`, { name: 'x' })).statusCode).toBe(404);
  });
});

describe('relationships', () => {
  const relate = (id: string, relatedAssets: string[]) => put(ada, `/api/assets/${id}`, { relatedAssets });
  const chain = async (...names: string[]): Promise<AssetDetail[]> => {
    const made: AssetDetail[] = [];
    for (const name of names) made.push(await makeAsset(ada, projectId, { name }));
    for (const [n, { _id }] of made.entries()) if (made[n + 1]) await relate(_id, [made[n + 1]?._id ?? '']);
    return made;
  };

  it('have the beginning of a long description; the asset itself has all of it', async () => {
    const description = 'd'.repeat(1000);
    const shown = `${'d'.repeat(300)}…`;
    const child = (await create({ ...asset, description })).json<AssetDetail>();
    const top = (await create({ ...asset, relatedAssets: [child._id] })).json<AssetDetail>();
    expect((await read(child._id)).description).toBe(description);
    expect(top.relatedAssets).toMatchObject([{ _id: child._id, description: shown }]);
    expect((await ada.get(`/api/assets/${top._id}/hierarchy`)).json()).toMatchObject({
      children: [{ _id: child._id, description: shown }],
    });
    const body = { name: 'Flaw', description, severity: 5, relatedAssets: [child._id] };
    const flaw = (await ada.post('/api/vulnerabilities', body)).json<{ _id: string }>();
    expect(flaw).toMatchObject({ description, relatedAssets: [{ _id: child._id, description: shown }] });
    expect((await read(child._id)).vulnerabilities).toMatchObject([{ _id: flaw._id, description: shown }]);
  });

  it('that depend on an asset are listed up to 1,000, with their number', async () => {
    const base = await makeAsset(ada, projectId, { name: 'base' });
    await withOrganization(api.database, ada.user.organizationId, async (trx) => {
      await sql`
        insert into asset (organization_id, id, project_id, name, asset_type_id)
        select current_organization(), uuidv7(), ${projectId}, 'Host ' || 10000 + n, 1 from generate_series(1, 1001) n`.execute(
        trx,
      );
      await sql`
        insert into asset_relation (organization_id, asset_id, related_id)
        select organization_id, id, ${base._id} from asset where name like 'Host %'`.execute(trx);
    });
    const { parentAssets, parentAssetTotal, relatedAssetTotal, version } = await read(base._id);
    expect([parentAssets.length, parentAssetTotal, relatedAssetTotal]).toEqual([1000, 1001, 0]);
    expect([parentAssets[0]?.name, parentAssets.at(-1)?.name]).toEqual(['Host 10001', 'Host 11000']);
    const changed = (await put(ada, `/api/assets/${base._id}`, { criticality: 5 })).json<AssetDetail>();
    expect([changed.version, changed.parentAssetTotal]).toEqual([version + 1, 1001]);
  });

  it('are returned for both assets, and as a hierarchy by name', async () => {
    const b = await makeAsset(ada, projectId, { name: 'b', assetTypeId: 4 });
    const a = await makeAsset(ada, projectId, { name: 'a' });
    const top = await makeAsset(ada, projectId, { name: 'top', relatedAssets: [b._id, a._id, b._id] });
    const { description } = asset;
    expect((await ada.get(`/api/assets/${top._id}/hierarchy`)).json()).toEqual({
      children: [
        { _id: a._id, name: 'a', description, assetTypeId: 2, childCount: 0 },
        { _id: b._id, name: 'b', description, assetTypeId: 4, childCount: 0 },
      ],
    });
    expect((await read(b._id)).parentAssets).toEqual([{ _id: top._id, name: 'top', description }]);
    expect((await ada.get(`/api/assets/${a._id}/hierarchy`)).json()).toEqual({ children: [] });
    await relate(top._id, [a._id]);
    expect((await read(b._id)).parentAssets).toEqual([]);
  });

  it('of an asset to itself are refused, however its id is written', async () => {
    const { _id } = await makeAsset(ada, projectId);
    for (const id of [_id, _id.toUpperCase()]) {
      const answer = await relate(_id, [id]);
      expect([answer.statusCode, answer.json<ErrorReply>().details]).toEqual([
        422,
        [{ path: 'relatedAssets', message: 'An asset cannot be related to itself.' }],
      ]);
    }
  });

  it.each(['assets', 'vulnerabilities'])(
    'of %s to assets that do not exist are refused, and the details name these',
    async (noun) => {
      const [known, one, two] = [await makeAsset(ada, projectId), strangeId(), strangeId()];
      const body = { ...asset, projectId, severity: 5, name: 'Door' };
      const detailsOf = async (relatedAssets: string[]) => {
        const answer = await ada.post(`/api/${noun}`, { ...body, relatedAssets });
        expect(answer.statusCode).toBe(422);
        return answer.json<ErrorReply>().details;
      };
      expect(await detailsOf([one, known._id])).toEqual([
        { path: 'relatedAssets', message: `This asset does not exist: ${one}.` },
      ]);
      expect(await detailsOf([one, known._id, two])).toEqual([
        { path: 'relatedAssets', message: `These assets do not exist: ${one}, ${two}.` },
      ]);
    },
  );

  it('in a cycle are refused, and the message names the cycle', async () => {
    const [web, app, base] = await chain('web', 'app', 'base');
    const message = 'Relationships must not form a cycle: base → web → app → base.';
    const answer = await relate(base?._id ?? '', [web?._id.toUpperCase() ?? '']);
    expect([answer.statusCode, answer.json<ErrorReply>().details]).toEqual([
      422,
      [{ path: 'relatedAssets', message }],
    ]);
    expect((await read(base?._id ?? '')).relatedAssets).toEqual([]);
    expect((await relate(app?._id ?? '', [web?._id ?? ''])).statusCode).toBe(422);
  });

  it('may join again at a common child, and reverse once no cycle results', async () => {
    const [top, left, bottom] = await chain('top', 'left', 'bottom');
    const right = await makeAsset(ada, projectId, { name: 'right', relatedAssets: [bottom?._id] });
    expect((await relate(top?._id ?? '', [left?._id ?? '', right._id])).statusCode).toBe(200);
    await relate(top?._id ?? '', [right._id]);
    expect((await relate(left?._id ?? '', [top?._id ?? ''])).statusCode).toBe(200);
  });

  it('of two concurrent requests that together form a cycle are accepted once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b, c] = await chain('a', 'b');
      expect(c).toBeUndefined();
      await relate(a?._id ?? '', []);
      const answers = await Promise.all([
        relate(a?._id ?? '', [b?._id ?? '']),
        relate(b?._id ?? '', [a?._id ?? '']),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422]);
    }
  });
});

describe('the list', () => {
  it('reports how many it skipped', async () => {
    for (const name of ['a', 'b', 'c']) await makeAsset(ada, projectId, { name });
    expect(await list('sort=name&pageSize=2')).toMatchObject({ total: 3, skipped: 0, page: 1, pageSize: 2 });
    const second = await list('sort=name&pageSize=2&page=2');
    expect([names(second.assets), second.skipped]).toEqual([['c'], 2]);
    expect(await list('sort=name&pageSize=2&page=9')).toMatchObject({ assets: [], total: 3, skipped: 3 });
    const first = await ada.get('/api/assets?sort=name&pageSize=2');
    const { nextCursor } = first.json<{ nextCursor: string }>();
    const next = await list(`sort=name&pageSize=2&cursor=${nextCursor}`);
    expect(next).not.toHaveProperty('skipped');
    expect(names(next.assets)).toEqual(['c']);
  });

  it('reports how many it skipped beyond the rows that are counted', async () => {
    await asWorker(api, ada).inside((trx) =>
      sql`
        insert into asset (organization_id, id, name, project_id, asset_type_id)
        select current_organization(), gen_random_uuid(), 'Crane ' || n, ${projectId}, 1
        from generate_series(1, 10_100) n`.execute(trx),
    );
    const page = await list('search=Crane&pageSize=10&page=1005');
    expect(page).toMatchObject({ total: 10_000, totalIsCapped: true, skipped: 10_040 });
    expect(page.assets).toHaveLength(10);
  });

  it('at risk: health Critical or a risk score from 7 (contract, Meanings)', async () => {
    await makeAsset(ada, projectId, { name: 'calm', criticality: 1 });
    // (5 + 4 + 2 + 2 x 5) / 3 = 7
    const levels = { confidentialityLevel: 5, integrityLevel: 4, availabilityLevel: 2, criticality: 5 };
    await makeAsset(ada, projectId, { name: 'dear', ...levels });
    await makeAsset(ada, projectId, { name: 'dear, nearly', ...levels, availabilityLevel: 1 });
    const sick = await makeAsset(ada, projectId, { name: 'sick' });
    await makeRecords(api, ada, {
      table: 'vulnerability',
      names: ['1', '2', '3', '4'],
      assets: [sick._id],
    });
    const found = await list('status=at-risk&sort=name');
    expect(found.assets).toMatchObject([
      { name: 'dear', riskScore: 7, health: 'Healthy' },
      { name: 'sick', riskScore: 0.9, health: 'Critical' },
    ]);
    expect(names((await list('status=N/A&sort=name')).assets)).toEqual(['calm', 'dear, nearly']);
  });

  it('is filtered by project, type, level, health, range and search, and sorted by risk', async () => {
    const other = await makeProject(ada, { name: 'Quay' });
    const low = await makeAsset(ada, projectId, { name: 'low', criticality: 1, assetTypeId: 1 });
    await makeAsset(ada, other._id, { name: 'high', criticality: 5, description: 'keeps 50% of it' });
    await makeAsset(ada, projectId, { name: 'none' });
    await makeRecords(api, ada, { table: 'threat', names: ['T'], assets: [low._id] });
    const found = async (query: string) => names((await list(`sort=name&${query}`)).assets);
    expect(await found(`projectId=${other._id}`)).toEqual(['high']);
    expect(await found('assetTypeId=1')).toEqual(['low']);
    expect(await found('criticality=5&criticality=N/A')).toEqual(['high', 'none']);
    expect(await found('health=Warning')).toEqual(['low']);
    expect(await found('riskScoreMin=0.1&riskScoreMax=1')).toEqual(['low']);
    expect(await found('search=50%25')).toEqual(['high']);
    expect(names((await list('sort=-riskScore')).assets)).toEqual(['high', 'low', 'none']);
    expect(await found('threatCountMin=1')).toEqual(['low']);
    expect(await found('vulnerabilityCountMax=0')).toEqual(['high', 'low', 'none']);
    expect(names((await list('sort=-threatCount')).assets)[0]).toBe('low');
    const facets = await ada.get('/api/assets/facets?field=health&field=riskScore');
    expect(facets.json()).toMatchObject({
      facets: {
        health: {
          values: [
            { value: 'Healthy', count: 2 },
            { value: 'Warning', count: 1 },
          ],
        },
        riskScore: { min: 0, max: 3.3 },
      },
    });
    const written = await ada.get('/api/assets/export?format=json&columns=name,riskScore&sort=name');
    expect(written.json()).toEqual([
      { name: 'high', riskScore: 3.3 },
      { name: 'low', riskScore: 0.8 },
      { name: 'none', riskScore: 0 },
    ]);
  });
});

describe('costs and dates', () => {
  it('filter and sort the list, empty values last', async () => {
    const made = [
      { name: 'dear', replacementCost: 900, recoveryCost: 10, startDate: '2026-03-01' },
      { name: 'cheap', replacementCost: 5.5, recoveryCost: 400, startDate: '2025-01-01' },
      { name: 'unknown' },
    ];
    for (const asset of made) await makeAsset(ada, projectId, asset);
    const found = async (query: string) => names((await list(query)).assets);
    expect(await found('replacementCostMin=5.5&replacementCostMax=899')).toEqual(['cheap']);
    expect(await found('recoveryCostMax=10')).toEqual(['dear']);
    expect(await found('startDateMin=2026-01-01')).toEqual(['dear']);
    expect(await found('startDateMax=2025-01-01')).toEqual(['cheap']);
    for (const field of ['replacementCost', 'recoveryCost', 'startDate'])
      expect(await found(`${field}=N/A`)).toEqual(['unknown']);
    expect(await found('sort=replacementCost')).toEqual(['cheap', 'dear', 'unknown']);
    expect(await found('sort=-replacementCost')).toEqual(['dear', 'cheap', 'unknown']);
    expect(await found('sort=recoveryCost')).toEqual(['dear', 'cheap', 'unknown']);
    expect(await found('sort=startDate')).toEqual(['cheap', 'dear', 'unknown']);
  });
});

describe('an export', () => {
  it('has a value for every column of the list, then the other fields that an import reads, with the project name in CSV', async () => {
    const levels = {
      criticality: 5,
      confidentialityLevel: 5,
      integrityLevel: 4,
      availabilityLevel: 4,
      replacementCost: 1200.5,
      recoveryCost: 0,
      startDate: '2026-01-02',
      name: 'Vault',
    };
    await makeAsset(ada, projectId, levels);
    await makeAsset(ada, projectId, { name: 'Yard' });
    const written = await ada.get('/api/assets/export?format=json&sort=name');
    const [vault, yard] = written.json<Record<string, unknown>[]>();
    const listed = Object.keys(assetList.fields);
    const others = importableFields('assets').filter(({ field }) => !listed.includes(field));
    expect(Object.keys(vault ?? {})).toEqual(['_id', ...listed, ...others.map(({ field }) => field)]);
    expect(Object.values(vault ?? {})).not.toContain(null);
    expect(vault).toMatchObject({ ...levels, projectId, status: 'at-risk', riskScore: 7.7 });
    expect(yard).toMatchObject({ status: null, criticality: null });
    const csv = await ada.get('/api/assets/export?columns=name,projectId,status&sort=name');
    expect(csvLines(csv.body)).toEqual(['Name,Project,Status', 'Vault,Harbour,at-risk', 'Yard,Harbour,']);
    const columns = 'criticality,confidentialityLevel,integrityLevel,availabilityLevel,replacementCost';
    const inCsv = await ada.get(`/api/assets/export?columns=${columns}&sort=name`);
    expect(csvLines(inCsv.body)).toEqual([
      'Criticality,Confidentiality,Integrity,Availability,Replacement Cost',
      'Very High,Top Secret,Critical,Critical,1200.5',
      ',,,,',
    ]);
  });
});

describe('the detail', () => {
  it('lists threats and vulnerabilities, most severe first, with the fields of the graph', async () => {
    const { _id } = await makeAsset(ada, projectId, { criticality: 5, confidentialityLevel: 5 });
    const common = { assets: [_id] };
    await makeRecords(api, ada, { table: 'threat', names: ['unknown'], ...common });
    await makeRecords(api, ada, { table: 'threat', names: ['bad'], columns: { risk_level: 80 }, ...common });
    const table = 'vulnerability';
    await makeRecords(api, ada, { table, names: ['mild'], columns: { severity: 3 }, ...common });
    await makeRecords(api, ada, { table, names: ['grave'], columns: { cvss_score: 9.8 }, ...common });
    // (5 + 0.5 x 2 + 0.7 x 2 + 2 x 5) / 3
    expect(await read(_id)).toMatchObject({
      riskScore: 5.8,
      health: 'Warning',
      threatCount: 2,
      vulnerabilityCount: 2,
      threats: [
        { name: 'bad', riskLevel: 80 },
        { name: 'unknown', riskLevel: null },
      ],
      vulnerabilities: [
        { name: 'grave', cvssScore: 9.8, severity: null, status: 'open' },
        { name: 'mild', cvssScore: null, severity: 3, status: 'open' },
      ],
    });
  });
});

describe('deleting', () => {
  it('an asset removes its relations to threats and vulnerabilities, and restoring adds them again', async () => {
    const child = await makeAsset(ada, projectId, { name: 'child' });
    const door = await makeAsset(ada, projectId, { relatedAssets: [child._id], startDate: '2026-02-03' });
    const parent = await makeAsset(ada, projectId, { name: 'parent', relatedAssets: [door._id] });
    const [threat] = await makeRecords(api, ada, { table: 'threat', names: ['T'], assets: [door._id] });
    await makeRecords(api, ada, { table: 'vulnerability', names: ['V'], assets: [door._id] });
    const before = await read(door._id);
    api.relay.published.length = 0;
    expect((await ada.delete(`/api/assets/${door._id}`)).json()).toEqual({
      success: true,
      _id: door._id,
      id: door._id,
    });
    expect((await ada.get(`/api/threats/${threat}`)).json()).toMatchObject({ relatedAssets: [] });
    expect((await read(parent._id)).relatedAssets).toEqual([]);
    expect((await ada.delete(`/api/assets/${door._id}`)).statusCode).toBe(404);
    expect((await ada.post('/api/assets/restore', { ids: [door._id] })).json()).toEqual({
      success: true,
      restoredCount: 1,
      message: '1 asset was restored.',
    });
    expect(await read(door._id)).toEqual(before);
    expect(publishedChanges(api)).toEqual(['asset.changed deleted 1', 'asset.changed created 1']);
    expect((await log()).slice(-2)).toMatchObject([
      { action: 'asset.deleted', nounId: door._id, name: door.name },
      { action: 'asset.restored', nounId: door._id, name: door.name },
    ]);
  });

  it('an asset is undone with new versions of what it is related to, so that a change seen before is refused', async () => {
    const [door, other] = [await makeAsset(ada, projectId), await makeAsset(ada, projectId)];
    const parent = await makeAsset(ada, projectId, { relatedAssets: [door._id] });
    const assets = [door._id];
    const [threat] = await makeRecords(api, ada, { table: 'threat', names: ['T'], assets });
    const [weak] = await makeRecords(api, ada, { table: 'vulnerability', names: ['V'], assets });
    await ada.delete(`/api/assets/${door._id}`);
    const paths = [`/api/assets/${parent._id}`, `/api/threats/${threat}`, `/api/vulnerabilities/${weak}`];
    const seen = await Promise.all(paths.map(async (path) => String((await ada.get(path)).headers.etag)));
    await ada.post('/api/assets/restore', { ids: [door._id] });
    for (const [n, path] of paths.entries()) {
      const answer = await put(ada, path, { relatedAssets: [other._id] }, seen[n]);
      expect([path, answer.statusCode]).toEqual([path, 412]);
      const { relatedAssets } = (await ada.get(path)).json<{ relatedAssets: object[] }>();
      expect(relatedAssets).toMatchObject([{ _id: door._id }]);
    }
  });

  it('several assets ignores unknown ids and reports how many were deleted', async () => {
    const ids = [(await makeAsset(ada, projectId))._id, (await makeAsset(ada, projectId))._id];
    expect((await ada.delete('/api/assets/bulk', { ids: [...ids, strangeId()] })).json()).toEqual({
      success: true,
      deletedCount: 2,
      ids: expect.arrayContaining(ids) as unknown,
      message: '2 assets were deleted.',
    });
    expect((await log()).at(-1)).toMatchObject({ name: '2 assets', nounId: null, detail: { count: 2 } });
    expect((await ada.delete('/api/assets/bulk', { ids: [] })).statusCode).toBe(422);
    await ada.post('/api/assets/restore', { ids });
    expect((await list()).total).toBe(2);
  });

  it('is not undone after its project was deleted, and the reply says why', async () => {
    const other = await makeProject(ada, { name: 'Quay' });
    const [kept, door] = [await makeAsset(ada, projectId), await makeAsset(ada, other._id)];
    const ids = [kept._id, door._id];
    await ada.delete('/api/assets/bulk', { ids });
    await ada.delete(`/api/projects/${other._id}`);
    expect((await ada.post('/api/assets/restore', { ids })).json()).toEqual({
      success: true,
      restoredCount: 1,
      message:
        '1 asset was restored. 1 asset could not be restored: their project was deleted, or they were deleted more than 30 days ago.',
    });
    expect((await ada.get(`/api/assets/${door._id}`)).statusCode).toBe(404);
    expect((await ada.post('/api/assets/restore', { ids })).json()).toMatchObject({
      restoredCount: 0,
      message: expect.stringMatching(
        /^0 assets were restored\. 1 asset exists already\. 1 asset could not be restored: /u,
      ) as unknown,
    });
  });

  it.each(['in the order of the deletions', 'in the opposite order'])(
    'an asset, then what it is related to, is undone %s with the relations',
    async (order) => {
      const child = await makeAsset(ada, projectId, { name: 'child' });
      const door = await makeAsset(ada, projectId, { relatedAssets: [child._id] });
      const [threat] = await makeRecords(api, ada, { table: 'threat', names: ['T'], assets: [door._id] });
      const [weak] = await makeRecords(api, ada, {
        table: 'vulnerability',
        names: ['V'],
        assets: [door._id],
      });
      const before = await read(door._id);
      const deleted = [
        ['assets', door._id],
        ['threats', threat],
        ['assets', child._id],
        ['vulnerabilities', weak],
      ] as const;
      for (const [noun, id] of deleted) await ada.delete(`/api/${noun}/${id}`);
      const restored = order === 'in the opposite order' ? deleted.toReversed() : deleted;
      for (const [noun, id] of restored) await ada.post(`/api/${noun}/restore`, { ids: [id] });
      // The relation to an asset that is restored later gives it a new version, as no change of a user.
      const version = order === 'in the opposite order' ? 1 : 2;
      expect(await read(door._id)).toEqual({ ...before, version });
      expect((await ada.get(`/api/threats/${threat}`)).json()).toMatchObject({
        relatedAssets: [{ _id: door._id }],
      });
    },
  );

  it('is undone without relations to assets deleted in the meantime or that would form a cycle', async () => {
    const below = await makeAsset(ada, projectId, { name: 'below' });
    const deleted = await makeAsset(ada, projectId, { name: 'deleted' });
    const door = await makeAsset(ada, projectId, { name: 'door', relatedAssets: [below._id, deleted._id] });
    const above = await makeAsset(ada, projectId, { name: 'above', relatedAssets: [door._id] });
    const [threat] = await makeRecords(api, ada, { table: 'threat', names: ['T'], assets: [door._id] });
    await ada.delete(`/api/assets/${door._id}`);
    await ada.delete(`/api/assets/${deleted._id}`);
    await ada.delete(`/api/threats/${threat}`);
    await put(ada, `/api/assets/${below._id}`, { relatedAssets: [above._id] });
    await ada.post('/api/assets/restore', { ids: [door._id] });
    const back = await read(door._id);
    expect(back.threats).toEqual([]);
    // One of the two: above on door, or door on below.
    expect(names([...back.relatedAssets, ...back.parentAssets] as Asset[])).toHaveLength(1);
  });

  it('two related assets together is undone with their relation, in any order', async () => {
    const child = await makeAsset(ada, projectId, { name: 'child' });
    const parent = await makeAsset(ada, projectId, { name: 'parent', relatedAssets: [child._id] });
    await ada.delete('/api/assets/bulk', { ids: [child._id, parent._id] });
    await ada.post('/api/assets/restore', { ids: [parent._id] });
    expect((await read(parent._id)).relatedAssets).toEqual([]);
    await ada.post('/api/assets/restore', { ids: [child._id] });
    expect((await read(parent._id)).relatedAssets).toMatchObject([{ _id: child._id }]);
  });
});
