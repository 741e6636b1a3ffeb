import type { Job } from '@riskboard/contract';
import { lockAssertions, lockAssets, newId, type OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { whileHeld } from '../testing/held-row.ts';
import { type Answer, type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { strangeId } from '../testing/report.ts';
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

const put = (url: string, body: object): Promise<Answer> => ada.call({ method: 'PUT', url, body });
const get = async (url: string): Promise<Record<string, unknown>> =>
  (await ada.get(url)).json<Record<string, unknown>>();
const many = (count: number, more: object = {}) =>
  rows.make(
    'vulnerability',
    Array.from({ length: count }, (_, n) => ({ name: `No. ${n}`, ...more })),
  );
const activity = async (noun = 'vulnerabilities') =>
  rows.inside((trx) =>
    trx
      .selectFrom('activity')
      .select(['action', 'noun_id', 'name', 'detail'])
      .where('noun', '=', noun)
      .orderBy('id')
      .execute(),
  );

describe('deleting', () => {
  it('one record logs its id and name', async () => {
    const [id = ''] = await many(1);
    expect((await ada.delete(`/api/vulnerabilities/${id}`)).json()).toEqual({ success: true, _id: id, id });
    expect((await ada.get(`/api/vulnerabilities/${id}`)).statusCode).toBe(404);
    expect((await ada.delete(`/api/vulnerabilities/${id}`)).statusCode).toBe(404);
    expect(await activity()).toEqual([
      { action: 'vulnerability.deleted', noun_id: id, name: 'No. 0', detail: { count: 1 } },
    ]);
  });

  it('several records ignores unknown ids', async () => {
    const ids = await many(3);
    const theirs = await rowMaker(api, await signUp(api)).make('vulnerability', [{ name: 'Theirs' }]);
    const selection = { ids: [...ids.slice(1), ...ids.slice(1), ...theirs, strangeId()] };
    expect((await ada.delete('/api/vulnerabilities/bulk', selection)).json()).toEqual({
      success: true,
      deletedCount: 2,
      ids: expect.arrayContaining(ids.slice(1)) as unknown,
      message: '2 vulnerabilities were deleted.',
    });
    expect(await get('/api/vulnerabilities')).toMatchObject({ total: 1 });
    expect(await activity()).toMatchObject([{ noun_id: null, name: '2 vulnerabilities' }]);
  });

  it('by filter deletes the matching records only', async () => {
    await many(3, { severity: 9.5, source_file: 'a.json' });
    await many(2, { severity: 5 });
    const filter = { severity: ['critical'], severityMin: 9, imported: true };
    expect((await ada.delete('/api/vulnerabilities/bulk', { filter })).json()).toMatchObject({
      deletedCount: 3,
    });
    expect(await get('/api/vulnerabilities')).toMatchObject({ total: 2 });
  });

  it.each([
    [{}],
    [{ ids: [] }],
    [{ ids: ['x'] }],
    [{ ids: [strangeId()], filter: {} }],
    [{ filter: { severty: ['critical'] } }],
    [{ filter: { severity: ['huge'] } }],
  ])('a selection of %j is refused and deletes nothing', async (body) => {
    await many(1);
    expect((await ada.delete('/api/vulnerabilities/bulk', body)).statusCode).toBe(422);
    expect(await get('/api/vulnerabilities')).toMatchObject({ total: 1 });
  });
});

describe('restoring', () => {
  it('restores fields, version, relations, assertions and counts of a record', async () => {
    const { id, fileId } = await rows.imported('vulnerability', {
      key: 'CVE-1',
      data: { base: { score: 7.5 }, cwe: ['CWE-79'] },
      columns: { severity: 7.5, cvss_score: 7.5, cwe: ['CWE-79'] },
    });
    await put(`/api/vulnerabilities/${id}`, {
      solution: 'Patch',
      relatedAssets: [await rows.asset('Crane')],
    });
    const before = await get(`/api/vulnerabilities/${id}`);
    const file = () => get(`/api/reports/files/${fileId}/vulnerabilities/count`);
    expect(await file()).toEqual({ count: 1 });
    await ada.delete(`/api/vulnerabilities/${id}`);
    expect(await file()).toEqual({ count: 0 });
    const back = await ada.post('/api/vulnerabilities/restore', { ids: [id] });
    expect(back.json()).toEqual({
      success: true,
      restoredCount: 1,
      message: '1 vulnerability was restored.',
    });
    expect(await get(`/api/vulnerabilities/${id}`)).toEqual(before);
    expect(await file()).toEqual({ count: 1 });
    const again = await ada.post('/api/vulnerabilities/restore', { ids: [id, id.toUpperCase()] });
    expect(again.json()).toMatchObject({
      restoredCount: 0,
      message: '0 vulnerabilities were restored. 1 vulnerability exists already.',
    });
    expect((await activity()).at(-1)).toMatchObject({
      action: 'vulnerability.restored',
      noun_id: id,
      name: 'CVE-1',
    });
  });

  it('omits a file and an asset that were deleted in the meantime', async () => {
    const { id, fileId } = await rows.imported('vulnerability', { key: 'CVE-1' });
    const crane = await rows.asset('Crane');
    await put(`/api/vulnerabilities/${id}`, { relatedAssets: [crane] });
    await ada.delete(`/api/vulnerabilities/${id}`);
    expect((await ada.delete(`/api/assets/${crane}`)).statusCode).toBe(200);
    expect((await ada.delete(`/api/reports/files/${fileId}`)).statusCode).toBe(200);
    await ada.post('/api/vulnerabilities/restore', { ids: [id] });
    expect(await get(`/api/vulnerabilities/${id}`)).toMatchObject({
      relatedAssets: [],
      sourceFile: '',
      imported: false,
    });
  });

  it('does not restore what was extracted from a report that was deleted in the meantime', async () => {
    const { id, fileId } = await rows.imported('vulnerability', { key: 'CVE-1' });
    await ada.delete(`/api/vulnerabilities/${id}`);
    expect((await ada.delete(`/api/reports/files/${fileId}`)).statusCode).toBe(200);
    const answer = await ada.post('/api/vulnerabilities/restore', { ids: [id] });
    expect(answer.json()).toMatchObject({
      restoredCount: 0,
      message: expect.stringContaining('their reports were deleted') as unknown,
    });
    expect((await ada.get(`/api/vulnerabilities/${id}`)).statusCode).toBe(404);
  });

  it('keeps the record that a report has created again in the meantime', async () => {
    const { id, fileId } = await rows.imported('vulnerability', {
      key: 'CVE-1',
      columns: { solution: 'Old' },
    });
    await ada.delete(`/api/vulnerabilities/${id}`);
    // Under an id of its own, as another reading of the file gives it.
    await rows.inside((trx) => sql`update report_record set id = gen_random_uuid()`.execute(trx));
    await asWorker(api, ada).extract(fileId);
    const answer = await ada.post('/api/vulnerabilities/restore', { ids: [id] });
    expect(answer.json()).toMatchObject({
      restoredCount: 0,
      message: expect.stringContaining('1 vulnerability could not be') as unknown,
    });
    expect(await get('/api/vulnerabilities')).toMatchObject({ total: 1 });
  });

  it('a record that was extracted and deleted again restores the last deleted one', async () => {
    const { id, fileId } = await rows.imported('vulnerability', { key: 'CVE-1' });
    await ada.delete(`/api/vulnerabilities/${id}`);
    // The same reading of the file gives the same id.
    await asWorker(api, ada).extract(fileId);
    await put(`/api/vulnerabilities/${id}`, { solution: 'Of the second life' });
    expect((await ada.delete(`/api/vulnerabilities/${id}`)).statusCode).toBe(200);
    expect((await ada.post('/api/vulnerabilities/restore', { ids: [id] })).json()).toMatchObject({
      restoredCount: 1,
    });
    expect(await get(`/api/vulnerabilities/${id}`)).toMatchObject({
      solution: 'Of the second life',
      imported: true,
    });
  });

  it("ignores another organization's record", async () => {
    const other = await signUp(api);
    const [id = ''] = await rowMaker(api, other).make('threat', [{ name: 'Theirs' }]);
    await other.delete(`/api/threats/${id}`);
    expect((await ada.post('/api/threats/restore', { ids: [id] })).json()).toMatchObject({
      restoredCount: 0,
    });
    expect((await other.post('/api/threats/restore', { ids: [id] })).json()).toMatchObject({
      restoredCount: 1,
    });
  });
});

describe('changing many', () => {
  it('sets the requested values and reports how many records had them already', async () => {
    const [crane, quay] = [await rows.asset('Crane'), await rows.asset('Quay')];
    const { id: imported } = await rows.imported('vulnerability', { key: 'CVE-1' });
    const [fixed = '', open = ''] = [
      ...(await many(1, { status: 'fixed', category_id: 4 })),
      ...(await many(1)),
    ];
    const ids = [imported, fixed, open];
    const change = { status: 'fixed', categoryId: 4 };
    expect((await put('/api/vulnerabilities/bulk', { ids, change })).json()).toEqual({
      success: true,
      updatedCount: 2,
      unchangedCount: 1,
      message: '2 vulnerabilities changed.',
    });
    expect(await get(`/api/vulnerabilities/${fixed}`)).toMatchObject({ version: 1 });
    expect(await get(`/api/vulnerabilities/${imported}`)).toMatchObject({
      ...change,
      version: 2,
      updatedBy: 'Ada',
      editedFields: ['categoryId', 'status'],
    });
    // Records that a user created have no edited fields.
    expect(await get(`/api/vulnerabilities/${open}`)).toMatchObject({ editedFields: [], version: 2 });
    const tie = { addAssets: [crane, quay] };
    const tied = (await put('/api/vulnerabilities/bulk', { ids, change: tie })).json();
    expect(tied).toMatchObject({ updatedCount: 3 });
    expect(tied.assetIds.toSorted()).toEqual([crane, quay].toSorted());
    const logged = await activity();
    const again = (await put('/api/vulnerabilities/bulk', { ids, change: tie })).json();
    expect(again).toMatchObject({ updatedCount: 0 });
    expect(again).not.toHaveProperty('assetIds');
    expect(await activity()).toEqual(logged);
    const untie = { removeAssets: [quay], status: 'open' };
    expect((await put('/api/vulnerabilities/bulk', { ids: [open], change: untie })).json()).toMatchObject({
      updatedCount: 1,
    });
    expect(await get(`/api/vulnerabilities/${open}`)).toMatchObject({
      version: 4,
      status: 'open',
      relatedAssets: [{ name: 'Crane' }],
    });
    const all = { filter: { assetId: quay }, change: { categoryId: '' } };
    expect((await put('/api/vulnerabilities/bulk', all)).json()).toMatchObject({
      updatedCount: 2,
      unchangedCount: 0,
    });
    const log = (await activity()).filter(({ action }) => action === 'vulnerability.updated-many');
    expect(log.map(({ detail }) => detail)).toEqual([
      {
        count: 2,
        changes: { status: { from: 'open', to: 'fixed' }, categoryId: { from: null, to: 4 } },
      },
      { count: 3, changes: { addedAssets: { from: '', to: 'Crane, Quay' } } },
      {
        count: 1,
        changes: { status: { from: 'fixed', to: 'open' }, removedAssets: { from: 'Quay', to: '' } },
      },
      { count: 2, changes: { categoryId: { from: 4, to: null } } },
    ]);
  });

  it('logs the values before, at most five of them', async () => {
    const columns = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, threat_category: name }));
    const ids = await rows.make('threat', columns);
    const edit = (some: string[], threatCategory: string) =>
      put('/api/threats/bulk', { ids: some, change: { threatCategory } });
    await edit(ids.slice(0, 2), 'x');
    await edit(ids, 'z');
    const logged = (await activity('threats')).slice(-2).map(({ detail }) => detail['changes']);
    expect(logged).toEqual([
      { threatCategory: { from: ['a', 'b'], to: 'x' } },
      { threatCategory: { from: ['c', 'd', 'e', 'f', 'x'], to: 'z' } },
    ]);
    await rows.make('threat', columns);
    await put('/api/threats/bulk', { filter: {}, change: { threatCategory: 'y' } });
    expect((await activity('threats')).at(-1)?.detail).toMatchObject({
      changes: { threatCategory: { from: ['a', 'b', 'c', 'd', 'e', '…'], to: 'y' } },
    });
  });

  it('marks a field as edited only where its value changes', async () => {
    const { id } = await rows.imported('vulnerability', { key: 'CVE-1', columns: { status: 'fixed' } });
    const change = { status: 'fixed', categoryId: 5 };
    await put('/api/vulnerabilities/bulk', { ids: [id], change });
    expect(await get(`/api/vulnerabilities/${id}`)).toMatchObject({
      ...change,
      editedFields: ['categoryId'],
    });
  });

  it.each([
    [{ change: {} }],
    [{ change: { name: 'x' } }],
    [{ change: { status: 'new' } }],
    [{ change: { categoryId: 9 } }],
    [{}],
  ])('with the body %j is refused', async (body) => {
    const ids = await many(1);
    expect((await put('/api/vulnerabilities/bulk', { ids, ...body })).statusCode).toBe(422);
  });

  it('sets state, type and category of threats', async () => {
    const ids = await rows.make('threat', [{ name: 'a' }, { name: 'b', is_active: false }]);
    const change = { isActive: false, threatTypeId: 2, threatCategory: 'Crime' };
    expect((await put('/api/threats/bulk', { ids, change })).json()).toMatchObject({ updatedCount: 2 });
    const shown = { ...change, version: 2 };
    for (const id of ids) expect(await get(`/api/threats/${id}`)).toMatchObject(shown);
  });
});

it('an edit that changes nothing is neither logged nor published', async () => {
  const ids = [strangeId()];
  const before = api.relay.published.length;
  for (const answer of [
    await ada.delete('/api/vulnerabilities/bulk', { ids }),
    await ada.post('/api/vulnerabilities/restore', { ids }),
    await put('/api/vulnerabilities/bulk', { ids, change: { status: 'fixed' } }),
  ])
    expect(answer.statusCode).toBe(200);
  expect(await activity()).toEqual([]);
  expect(api.relay.published).toHaveLength(before);
});

describe('a request by filter during an import', () => {
  /** Starts the call while a transaction of an import has created a record and holds the locks; returns the reply. */
  async function duringImport(table: 'vulnerability' | 'asset', row: object, call: () => Promise<Answer>) {
    const organizationId = ada.user.organizationId;
    const take = async (trx: OrganizationTransaction) => {
      await sql`select set_config('app.organization_id', ${organizationId}, true)`.execute(trx);
      await lockAssets(trx);
      await lockAssertions(trx);
      const values = { organization_id: organizationId, id: newId(), name: 'Later', ...row };
      await trx.insertInto(table).values(values).execute();
    };
    const [answer] = await whileHeld(api, { as: 'app', take }, [call]);
    return answer?.json<object>();
  }

  it('does not delete or change the records that the import creates', async () => {
    await many(2);
    const change = { status: 'fixed' };
    expect(
      await duringImport('vulnerability', {}, () =>
        put('/api/vulnerabilities/bulk', { filter: {}, change: { ...change, addAssets: [] } }),
      ),
    ).toMatchObject({ updatedCount: 2, unchangedCount: 0 });
    expect(
      await duringImport('vulnerability', {}, () =>
        ada.delete('/api/vulnerabilities/bulk', { filter: { status: ['fixed', 'open'] } }),
      ),
    ).toMatchObject({ deletedCount: 3 });
    expect(await get('/api/vulnerabilities')).toMatchObject({ total: 1 });
  });

  it('does not delete its assets', async () => {
    await rows.asset('Crane');
    const [project_id] = await rows.make('project', [{ name: 'Quay', start_date: '2026-01-01' }]);
    expect(
      await duringImport('asset', { project_id, asset_type_id: 1 }, () =>
        ada.delete('/api/assets/bulk', { filter: {} }),
      ),
    ).toMatchObject({ deletedCount: 1 });
    expect(await get('/api/assets')).toMatchObject({ total: 1, assets: [{ name: 'Later' }] });
  });
});

describe('more than 500 at once', () => {
  it.each([
    ['DELETE', 'records.delete', {}],
    ['PUT', 'records.update', { change: { status: 'fixed' } }],
  ] as const)('%s becomes a job of kind %s', async (method, kind, more) => {
    await many(500);
    const ask = (body: object) =>
      ada.call({ method, url: '/api/vulnerabilities/bulk', body: { ...body, ...more } });
    const [last = ''] = await many(1);
    const answer = await ask({ filter: { status: ['open'], createdAtMin: '2020-01-01' } });
    expect(answer.statusCode).toBe(202);
    const { jobId } = answer.json<{ jobId: string }>();
    expect(answer.headers['location']).toBe(`/api/jobs/${jobId}`);
    expect(await get(`/api/jobs/${jobId}`)).toMatchObject({ kind, state: 'queued' } satisfies Partial<Job>);
    expect(api.producer.enqueued.map((message) => message.id)).toContain(jobId);
    const { rows: jobs } = await rows.inside((trx) =>
      sql<{ payload: object }>`select payload from job where id = ${jobId}`.execute(trx),
    );
    expect(jobs[0]?.payload).toMatchObject({
      noun: 'vulnerabilities',
      filter: { status: ['open'], createdAtMin: '2020-01-01T00:00:00.000Z' },
    });
    expect(await get('/api/vulnerabilities?status=open')).toMatchObject({ total: 501 });
    await ada.delete(`/api/vulnerabilities/${last}`);
    expect((await ask({ filter: {} })).statusCode).toBe(200);
  });
});
