import type { ActivityEntry, ErrorReply, Project } from '@riskboard/contract';
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
import { type Person, signUp } from '../testing/person.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  api.relay.published.length = 0;
});
afterAll(() => api.close());

const project = { name: 'Harbour', description: 'Cranes', startDate: '2026-03-01' };
const read = async (id: string): Promise<Project> => (await ada.get(`/api/projects/${id}`)).json<Project>();
const list = async (query = '') =>
  (await ada.get(`/api/projects?${query}`)).json<{ projects: Project[]; total: number }>();
const log = async (): Promise<ActivityEntry[]> =>
  (await ada.get('/api/activity?noun=projects&noun=assets&sort=at')).json<{ activity: ActivityEntry[] }>()
    .activity;

it('the names of projects are found by name or description, in order, in the own organization only', async () => {
  const stranger = await signUp(api);
  await stranger.post('/api/projects', project);
  const started = await ada.get('/api/projects/names');
  const own = started.json<{ total: number }>().total;
  const harbour = (await ada.post('/api/projects', project)).json<Project>();
  const crane = (await ada.post('/api/projects', { ...project, name: 'Crane' })).json<Project>();
  expect((await ada.get('/api/projects/names?search=CRANE')).json()).toEqual({
    projects: [
      { _id: crane._id, name: 'Crane' },
      { _id: harbour._id, name: 'Harbour' },
    ],
    total: 2,
  });
  expect((await ada.get('/api/projects/names')).json()).toMatchObject({ total: own + 2 });
  expect((await ada.get('/api/projects/names?sort=name')).statusCode).toBe(422);
});

describe('a new project', () => {
  it('is active, 75 percent done and empty', async () => {
    const answer = await ada.post('/api/projects', project);
    expect(answer.statusCode).toBe(201);
    const made = answer.json<Project>();
    expect(made).toMatchObject({
      ...project,
      startDate: '2026-03-01',
      plannedEndDate: null,
      status: 'active',
      progress: 75,
      objective: '',
      assets: 0,
      threats: 0,
      vulnerabilities: 0,
      createdBy: ada.user._id,
      updatedBy: 'Ada',
      version: 1,
    });
    expect(answer.headers).toMatchObject({ etag: '"1"', location: `/api/projects/${made._id}` });
    expect(await read(made._id)).toEqual(made);
    expect(publishedChanges(api)).toEqual(['project.changed created 1']);
    expect(await log()).toMatchObject([
      { action: 'project.created', noun: 'projects', nounId: made._id, name: 'Harbour' },
    ]);
  });

  it('keeps every field of the form (spec 3)', async () => {
    const fields = {
      ...project,
      objective: 'No door opens by itself',
      startDate: '2026-03-01',
      plannedEndDate: '2026-09-01',
      status: 'on-hold',
      clientOrganizationName: 'Northquay',
      organizationStrategy: 'Slowly',
      rankingsName: 'FIPS 199',
      rankingsDescription: 'Low to high',
      rankingsReference: 'https://example.org/rankings',
    };
    expect((await ada.post('/api/projects', fields)).json()).toMatchObject({ ...fields, progress: 50 });
  });

  it.each([
    ['name', { ...project, name: '  ' }],
    ['name', { ...project, name: undefined }],
    ['name', { ...project, name: 'x'.repeat(501) }],
    ['name', { ...project, name: 'a\0b' }],
    ['description', { ...project, description: ' ' }],
    ['description', { ...project, description: undefined }],
    ['startDate', { ...project, startDate: '' }],
    ['startDate', { ...project, startDate: undefined }],
    ['startDate', { ...project, startDate: 'tomorrow' }],
    ['startDate', { ...project, startDate: '0000-01-01' }],
    ['startDate', { ...project, startDate: '0000-12-31T23:59:59-10:00' }],
    ['plannedEndDate', { ...project, plannedEndDate: 'later' }],
    ['plannedEndDate', { ...project, plannedEndDate: '2026-03-01' }],
    ['plannedEndDate', { ...project, plannedEndDate: '2026-02-28' }],
    ['plannedEndDate', { ...project, plannedEndDate: '2026-03-01T23:59:59Z' }],
    ['status', { ...project, status: 'paused' }],
    ['objective', { ...project, objective: 7 }],
    ['clientOrganizationName', { ...project, clientOrganizationName: 'x'.repeat(501) }],
  ])('is refused by %s: %j', async (path, body) => {
    const answer = await ada.post('/api/projects', body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details?.map((detail) => detail.path)).toEqual([path]);
    expect((await list()).total).toBe(0);
  });

  it('may end the day after its start, and have no end', async () => {
    for (const plannedEndDate of ['2026-03-02', '', null]) {
      expect((await ada.post('/api/projects', { ...project, plannedEndDate })).statusCode).toBe(201);
    }
  });
});

describe('a change', () => {
  it('sets the given fields, logs user and values, and increments the version', async () => {
    const { _id } = await makeProject(ada);
    const answer = await put(ada, `/api/projects/${_id}`, { status: 'completed', objective: 'Done' }, '"1"');
    expect([answer.statusCode, answer.headers.etag]).toEqual([200, '"2"']);
    expect(answer.json()).toMatchObject({ name: 'Harbour', status: 'completed', progress: 100, version: 2 });
    expect(publishedChanges(api)).toEqual(['project.changed created 1', 'project.changed updated 1']);
    expect((await log()).at(-1)).toMatchObject({
      action: 'project.updated',
      name: 'Harbour',
      detail: {
        changes: { status: { from: 'active', to: 'completed' }, objective: { from: '', to: 'Done' } },
      },
    });
  });

  it('without a difference changes no version, activity log or other record', async () => {
    const made = await makeProject(ada);
    const same = { name: made.name, startDate: made.startDate, plannedEndDate: '', status: made.status };
    expect((await put(ada, `/api/projects/${made._id}`, same)).json()).toEqual(made);
    expect(publishedChanges(api)).toEqual(['project.changed created 1']);
    expect(await log()).toHaveLength(1);
  });

  it.each([
    ['the start alone', { startDate: '2026-06-01' }],
    ['the end alone', { plannedEndDate: '2026-01-05' }],
    ['both', { startDate: '2026-07-01', plannedEndDate: '2026-07-01' }],
  ])('of %s keeps the end at least a day after the start', async (_name, body) => {
    const { _id } = await makeProject(ada, { plannedEndDate: '2026-06-01' });
    const answer = await put(ada, `/api/projects/${_id}`, body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details).toEqual([
      {
        path: 'plannedEndDate',
        message: 'The planned end date must be at least the day after the start date.',
      },
    ]);
    expect((await read(_id)).version).toBe(1);
  });

  it('of both moves them together', async () => {
    const { _id } = await makeProject(ada, { plannedEndDate: '2026-06-01' });
    const body = { startDate: '2027-01-01', plannedEndDate: '2027-01-02' };
    expect((await put(ada, `/api/projects/${_id}`, body)).statusCode).toBe(200);
  });

  it('on an old version is refused and names the user who saved first', async () => {
    const { _id } = await makeProject(ada);
    await put(ada, `/api/projects/${_id}`, { name: 'Quay' });
    const answer = await put(ada, `/api/projects/${_id}`, { name: 'Dock' }, '"1"');
    expect([answer.statusCode, answer.headers.etag]).toEqual([412, '"2"']);
    expect(answer.json()).toMatchObject({
      code: 'stale_version',
      message: 'Ada changed this in the meantime.',
    });
    expect((await read(_id)).name).toBe('Quay');
  });

  it.each([
    ['name', { name: ' ' }],
    ['description', { description: '' }],
    ['startDate', { startDate: '' }],
    ['status', { status: 'archived' }],
  ])('of %s to an empty or invalid value is refused', async (path, body) => {
    const { _id } = await makeProject(ada);
    const answer = await put(ada, `/api/projects/${_id}`, body);
    expect([answer.statusCode, answer.json<ErrorReply>().details?.[0]?.path]).toEqual([422, path]);
  });

  it('of an unknown project is 404', async () => {
    const answer = await put(ada, `/api/projects/${strangeId()}`, { name: 'x' });
    expect([answer.statusCode, answer.json<ErrorReply>().message]).toEqual([404, 'Project not found.']);
  });
});

describe('the counts of a project', () => {
  it('are its assets, and each threat and vulnerability that is related to any of them once', async () => {
    const { _id } = await makeProject(ada);
    const other = await makeProject(ada);
    const first = await makeAsset(ada, _id);
    const second = await makeAsset(ada, _id);
    const elsewhere = await makeAsset(ada, other._id);
    await makeRecords(api, ada, { table: 'threat', names: ['T'], assets: [first._id, second._id] });
    await makeRecords(api, ada, { table: 'threat', names: ['U'], assets: [elsewhere._id] });
    await makeRecords(api, ada, { table: 'vulnerability', names: ['V', 'W'], assets: [second._id] });
    await makeRecords(api, ada, { table: 'vulnerability', names: ['X'] });
    expect(await read(_id)).toMatchObject({ assets: 2, threats: 1, vulnerabilities: 2 });
    expect((await list('sort=createdAt')).projects).toMatchObject([
      { assets: 2, threats: 1, vulnerabilities: 2 },
      { assets: 1, threats: 1, vulnerabilities: 0 },
    ]);
  });
});

describe('the list', () => {
  it('can be searched, filtered, sorted, paged, counted and exported', async () => {
    await makeProject(ada, { name: 'Beta', status: 'completed', startDate: '2026-02-01' });
    await makeProject(ada, { name: 'alpha', plannedEndDate: '2026-12-24' });
    await makeProject(ada, { name: '100% Gamma', description: 'of alpha rays', status: 'on-hold' });
    expect(names((await list('sort=name')).projects)).toEqual(['100% Gamma', 'alpha', 'Beta']);
    expect(names((await list('sort=-name&pageSize=1&page=2')).projects)).toEqual(['alpha']);
    expect(names((await list('search=ALPHA&sort=name')).projects)).toEqual(['100% Gamma', 'alpha']);
    expect(names((await list('search=0%25')).projects)).toEqual(['100% Gamma']);
    expect(names((await list('status=completed&status=on-hold&sort=name')).projects)).toEqual([
      '100% Gamma',
      'Beta',
    ]);
    expect(names((await list('startDateMin=2026-01-31')).projects)).toEqual(['Beta']);
    expect((await ada.get('/api/projects?startDateMin=0000-01-01')).statusCode).toBe(422);
    expect(names((await list('plannedEndDate=N/A&sort=name')).projects)).toEqual(['100% Gamma', 'Beta']);
    expect((await ada.get('/api/projects/facets?field=status')).json()).toEqual({
      facets: {
        status: {
          values: expect.arrayContaining([
            { value: 'active', count: 1 },
            { value: 'completed', count: 1 },
            { value: 'on-hold', count: 1 },
          ]),
          more: false,
        },
      },
    });
    const csv = await ada.get('/api/projects/export?format=csv&columns=name,status&sort=name');
    expect(csv.headers['content-disposition']).toContain('projects.csv');
    expect(csvLines(csv.body).slice(1)).toEqual(['100% Gamma,on-hold', 'alpha,active', 'Beta,completed']);
  });
});

describe('deleting a project', () => {
  it('deletes its assets; threats and vulnerabilities stay and lose the relation', async () => {
    const { _id } = await makeProject(ada);
    const stays = await makeAsset(ada, (await makeProject(ada, { name: 'Stays' }))._id);
    const door = await makeAsset(ada, _id, { relatedAssets: [stays._id] });
    const [threat] = await makeRecords(api, ada, {
      table: 'threat',
      names: ['T'],
      assets: [door._id, stays._id],
    });
    const [vulnerability] = await makeRecords(api, ada, {
      table: 'vulnerability',
      names: ['V'],
      assets: [door._id],
    });
    api.relay.published.length = 0;
    const answer = await ada.delete(`/api/projects/${_id}`);
    expect(answer.json()).toEqual({ success: true, _id, id: _id });
    expect(publishedChanges(api)).toEqual(['project.changed deleted 1', 'asset.changed deleted 1']);
    expect((await ada.get(`/api/projects/${_id}`)).statusCode).toBe(404);
    expect((await ada.get(`/api/assets/${door._id}`)).statusCode).toBe(404);
    expect((await ada.get(`/api/threats/${threat}`)).json()).toMatchObject({
      relatedAssets: [{ _id: stays._id }],
    });
    expect((await ada.get(`/api/vulnerabilities/${vulnerability}`)).json()).toMatchObject({
      relatedAssets: [],
    });
    expect((await ada.get(`/api/assets/${stays._id}`)).json()).toMatchObject({ parentAssets: [] });
    expect((await log()).at(-1)).toMatchObject({
      action: 'project.deleted',
      nounId: _id,
      name: 'Harbour',
      detail: { assets: 1 },
    });
    expect((await ada.delete(`/api/projects/${_id}`)).statusCode).toBe(404);
  });

  it('of several at once ignores unknown ids', async () => {
    const ids = [(await makeProject(ada))._id, (await makeProject(ada))._id, strangeId()];
    expect((await ada.delete('/api/projects/bulk', { ids })).json()).toEqual({
      success: true,
      deletedCount: 2,
      ids: expect.arrayContaining(ids.slice(0, 2)) as unknown,
      message: '2 projects were deleted.',
    });
    expect((await list()).total).toBe(0);
    expect((await ada.delete('/api/projects/bulk', { ids: [] })).statusCode).toBe(422);
  });

  it('is undone with its assets and their relations', async () => {
    const { _id } = await makeProject(ada, { plannedEndDate: '2026-12-31', status: 'on-hold' });
    const outside = await makeAsset(ada, (await makeProject(ada))._id, { name: 'outside' });
    const child = await makeAsset(ada, _id, { name: 'child', replacementCost: 30_000.5 });
    const parent = await makeAsset(ada, _id, { name: 'parent', relatedAssets: [child._id, outside._id] });
    await makeRecords(api, ada, { table: 'threat', names: ['T'], assets: [child._id] });
    await makeRecords(api, ada, { table: 'vulnerability', names: ['V'], assets: [child._id, parent._id] });
    const before = {
      project: await read(_id),
      child: (await ada.get(`/api/assets/${child._id}`)).json<object>(),
      parent: (await ada.get(`/api/assets/${parent._id}`)).json<object>(),
    };
    await ada.delete(`/api/projects/${_id}`);
    api.relay.published.length = 0;
    expect((await ada.post('/api/projects/restore', { ids: [_id, strangeId()] })).json()).toEqual({
      success: true,
      restoredCount: 1,
      message: '1 project was restored.',
    });
    expect(publishedChanges(api)).toEqual(['project.changed created 1', 'asset.changed created 2']);
    expect({
      project: await read(_id),
      child: (await ada.get(`/api/assets/${child._id}`)).json<object>(),
      parent: (await ada.get(`/api/assets/${parent._id}`)).json<object>(),
    }).toEqual(before);
    expect((await log()).at(-1)).toMatchObject({ action: 'project.restored', name: 'Harbour' });
    expect((await ada.post('/api/projects/restore', { ids: [_id] })).json()).toMatchObject({
      restoredCount: 0,
      message: '0 projects were restored. 1 project exists already.',
    });
  });

  it('is undone without an asset that was deleted before it; that asset is restored separately', async () => {
    const { _id } = await makeProject(ada);
    const earlier = await makeAsset(ada, _id);
    await ada.delete(`/api/assets/${earlier._id}`);
    await ada.delete(`/api/projects/${_id}`);
    expect((await ada.post('/api/assets/restore', { ids: [earlier._id] })).json()).toMatchObject({
      restoredCount: 0,
    });
    await ada.post('/api/projects/restore', { ids: [_id] });
    expect((await read(_id)).assets).toBe(0);
    expect((await ada.post('/api/assets/restore', { ids: [earlier._id] })).json()).toMatchObject({
      restoredCount: 1,
    });
    expect((await read(_id)).assets).toBe(1);
  });
});

it('concurrent deletes, restores and relations of its assets do not deadlock', async () => {
  const { _id } = await makeProject(ada);
  const made = [await makeAsset(ada, _id), await makeAsset(ada, _id), await makeAsset(ada, _id)];
  const ids = made.map((asset) => asset._id);
  const records = await makeRecords(api, ada, { table: 'vulnerability', names: ['V', 'W'], assets: ids });
  const related = (n: number) => ids.filter((_asset, at) => (at + n) % 3 > 0);
  for (let round = 0; round < 8; round += 1) {
    const answers = await Promise.all([
      ada.delete(`/api/projects/${_id}`),
      ...records.map((id, n) =>
        put(ada, `/api/vulnerabilities/${id}`, { relatedAssets: related(round + n) }),
      ),
      put(ada, `/api/assets/${ids[0]}`, { relatedAssets: [ids[1]], projectId: _id }),
      ada.post('/api/projects/restore', { ids: [_id] }),
      ada.delete('/api/vulnerabilities/bulk', { ids: records }),
      ada.post('/api/vulnerabilities/restore', { ids: records }),
    ]);
    expect(answers.filter(({ statusCode }) => statusCode >= 500).map(({ body }) => body)).toEqual([]);
    await ada.post('/api/projects/restore', { ids: [_id] });
    await ada.post('/api/vulnerabilities/restore', { ids: records });
    expect((await read(_id)).assets).toBe(3);
  }
});
