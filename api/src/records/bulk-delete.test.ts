import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { bundle, strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let rows: ReturnType<typeof rowMaker>;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  rows = rowMaker(api, ada);
});
afterAll(() => api.close());

const project = async (columns: object = {}): Promise<string> => {
  const [id = ''] = await rows.make('project', [
    { name: 'Harbour', start_date: '2026-01-01', status: 'active', ...columns },
  ]);
  return id;
};

async function assets(count: number, columns: object = {}): Promise<string[]> {
  const project_id = await project();
  const named = Array.from({ length: count }, (_, n) => ({
    name: `Crane ${n}`,
    project_id,
    asset_type_id: 1,
    ...columns,
  }));
  return rows.make('asset', named);
}

/** Many reports of one upload, each with its own content. */
async function files(count: number): Promise<string[]> {
  await ada.upload({ name: 'first.json', content: bundle() });
  const { inside } = asWorker(api, ada);
  const made = await inside((trx) =>
    sql<{ id: string }>`
      with contents as (
        insert into file_content (organization_id, id)
        select current_organization(), gen_random_uuid() from generate_series(2, ${count}) returning id
      )
      insert into report_file (organization_id, id, name, content_id, media, size, sha256, parse_job_id)
      select organization_id, gen_random_uuid(), 'copy ' || contents.id || '.json', contents.id, media, size, sha256, parse_job_id
      from report_file, contents returning id`.execute(trx),
  );
  return made.rows.map(({ id }) => id);
}

const total = async (path: string): Promise<number> => (await ada.get(path)).json<{ total: number }>().total;

/** The row of the job that a 202 reply names. */
async function payloadOf(jobId: string): Promise<unknown> {
  const { rows: found } = await rows.inside((trx) =>
    sql<{ payload: object }>`select payload from job where id = ${jobId}`.execute(trx),
  );
  return found[0]?.payload;
}

describe('deleting assets', () => {
  it('by filter deletes the matching assets only, also by derived columns', async () => {
    const worst = { criticality: 5, confidentiality_level: 5, integrity_level: 4, availability_level: 4 };
    const atRisk = await assets(3, worst);
    await assets(2);
    const answer = await ada.delete('/api/assets/bulk', { filter: { status: ['at-risk'] } });
    expect(answer.json()).toEqual({
      success: true,
      deletedCount: 3,
      ids: expect.arrayContaining(atRisk) as unknown,
      message: '3 assets were deleted.',
    });
    expect(await total('/api/assets')).toBe(2);
    await ada.post('/api/assets/restore', { ids: atRisk });
    expect(await total('/api/assets')).toBe(5);
  });
});

describe('deleting projects', () => {
  it('by filter deletes the matching projects and their assets only', async () => {
    await assets(2);
    const done = await project({ status: 'completed' });
    const answer = await ada.delete('/api/projects/bulk', { filter: { status: ['active'] } });
    expect(answer.json()).toMatchObject({ deletedCount: 1, message: '1 project was deleted.' });
    expect((await ada.get('/api/projects')).json()).toMatchObject({ projects: [{ _id: done }] });
    expect(await total('/api/assets')).toBe(0);
  });
});

describe('deleting reports', () => {
  it('by filter deletes the matching reports only', async () => {
    for (const name of ['tide.json', 'tidal.json', 'wind.json'])
      await ada.upload({ name, content: bundle(name) });
    const answer = await ada.delete('/api/reports/files/bulk', { filter: { search: 'TID' } });
    expect(answer.json()).toEqual({ success: true, deletedCount: 2, message: '2 files were removed.' });
    expect((await ada.get('/api/reports/files')).json()).toMatchObject({
      files: [{ originalFilename: 'wind.json' }],
    });
  });

  it('by name deletes the reports with that name only', async () => {
    for (const name of ['a.json', 'b.json', 'c.json']) await ada.upload({ name, content: bundle(name) });
    const answer = await ada.delete('/api/reports/files/bulk', { filter: { name: 'A.json' } });
    expect(answer.json()).toMatchObject({ deletedCount: 1 });
    expect(await total('/api/reports/files')).toBe(2);
  });

  it('by id deletes a hundred of them in the request', async () => {
    const ids = await files(100);
    expect((await ada.delete('/api/reports/files/bulk', { ids })).json()).toEqual({
      success: true,
      deletedCount: 99,
      message: '99 files were removed.',
    });
    expect(await total('/api/reports/files')).toBe(1);
  });
});

it.each([
  ['DELETE', '/api/reports/files/bulk', {}],
  ['DELETE', '/api/assets/bulk', {}],
  ['PUT', '/api/assets/bulk', { change: { criticality: 1 } }],
  ['POST', '/api/reports/vulnerability/calculateCwss/bulk', {}],
] as const)('%s %s refuses a filter that limits no rows', async (method, url, body) => {
  const answer = await ada.call({ method, url, payload: { ...body, filter: { search: ' ' } } });
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toMatchObject({ details: [{ path: 'filter' }] });
});

describe('deleting assets with many related vulnerabilities', () => {
  it.each([
    [10_000, 200],
    [10_001, 202],
  ])('with %i in a project answers %i for one asset', async (related, status) => {
    const [id = ''] = await assets(1, { vulnerability_count: related });
    expect((await ada.delete(`/api/assets/${id}`)).statusCode).toBe(status);
  });

  it('of one asset is a job, and the asset exists until it runs', async () => {
    const [id = ''] = await assets(1, { vulnerability_count: 10_001 });
    const answer = await ada.delete(`/api/assets/${id}`);
    const { jobId, message } = answer.json<{ jobId: string; message: string }>();
    expect(message).toBe('Deleting the asset in the background.');
    expect(answer.headers['location']).toBe(`/api/jobs/${jobId}`);
    expect(await payloadOf(jobId)).toEqual({ noun: 'assets', ids: [id] });
    expect(api.producer.enqueued.map((queued) => queued.id)).toContain(jobId);
    expect((await ada.get(`/api/assets/${id}`)).statusCode).toBe(200);
  });

  it('of one asset is refused with 412 when another version is named, and no job is made', async () => {
    const [id = ''] = await assets(1, { vulnerability_count: 10_001 });
    const remove = (etag: string) =>
      ada.call({ method: 'DELETE', url: `/api/assets/${id}`, headers: { 'if-match': etag } });
    expect((await remove('"2"')).statusCode).toBe(412);
    expect(await total('/api/jobs')).toBe(0);
    expect((await remove('"1"')).statusCode).toBe(202);
  });

  it('adds up several assets, and the assets of a project', async () => {
    const ids = await assets(2, { vulnerability_count: 6000 });
    expect((await ada.delete('/api/assets/bulk', { ids })).statusCode).toBe(202);
    const { projects } = (await ada.get('/api/projects')).json<{ projects: { _id: string }[] }>();
    const url = `/api/projects/${projects[0]?._id}`;
    const answer = await ada.delete(url);
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({ message: 'Deleting the project in the background.' });
    expect((await ada.get(url)).statusCode).toBe(200);
  });
});

describe.each([
  ['assets', '/api/assets', () => assets(501)],
  [
    'projects',
    '/api/projects',
    () =>
      rows.make(
        'project',
        Array.from({ length: 501 }, (_, n) => ({ name: `P ${n}`, start_date: '2026-01-01' })),
      ),
  ],
  ['reports', '/api/reports/files', () => files(501)],
] as const)('%s', (noun, path, make) => {
  it('more than 500 by filter are deleted by a job and exist until it runs', async () => {
    await make();
    const answer = await ada.delete(`${path}/bulk`, { filter: {} });
    expect(answer.statusCode).toBe(202);
    const { jobId } = answer.json<{ jobId: string }>();
    expect(answer.headers['location']).toBe(`/api/jobs/${jobId}`);
    expect(await payloadOf(jobId)).toEqual({
      noun,
      filter: {},
      runningTransactions: expect.any(Array) as unknown,
    });
    expect(api.producer.enqueued.map((message) => message.id)).toContain(jobId);
    expect(await total(path)).toBe(501);
  });

  it.each([
    [{}],
    [{ ids: [] }],
    [{ ids: ['x'] }],
    [{ ids: [strangeId()], filter: {} }],
    [{ filter: { nmae: 'x' } }],
  ])('a selection of %j is refused', async (body) => {
    expect((await ada.delete(`${path}/bulk`, body)).statusCode).toBe(422);
  });
});
