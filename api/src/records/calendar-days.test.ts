import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csvLines } from '../testing/csv.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
});
afterAll(() => api.close());

const vulnerability = { name: 'Overflow', description: 'd', severity: 5 };

const put = (id: string, payload: object) =>
  ada.call({ method: 'PUT', url: `/api/vulnerabilities/${id}`, payload });

interface Detail {
  _id: string;
  discoveryDate: string | null;
  fixDate: string | null;
}

describe.each(['America/Los_Angeles', 'Pacific/Auckland'])('calendar days in a process in %s', (zone) => {
  let former: string | undefined;
  beforeEach(() => {
    former = process.env['TZ'];
    process.env['TZ'] = zone;
  });
  afterEach(() => {
    if (former === undefined) delete process.env['TZ'];
    else process.env['TZ'] = former;
  });

  it.each([
    ['2024-05-01', '2024-05-01'],
    ['2024-05-01T00:00:00Z', '2024-05-01'],
    ['2024-05-01T23:30:00-08:00', '2024-05-01'],
    ['2024-05-01T00:30:00+13:00', '2024-05-01'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29'],
  ])('%s is stored and returned as the written day %s', async (entered, day) => {
    const created = await ada.post('/api/vulnerabilities', { ...vulnerability, discoveryDate: entered });
    const { _id } = created.json<Detail>();
    expect([created.statusCode, created.json<Detail>().discoveryDate]).toEqual([201, day]);
    const changed = await put(_id, { fixDate: entered });
    expect(changed.json<Detail>().fixDate).toBe(day);
    expect((await ada.get(`/api/vulnerabilities/${_id}`)).json()).toMatchObject({
      discoveryDate: day,
      fixDate: day,
    });
  });

  it('a timestamp of the same day changes nothing', async () => {
    const created = await ada.post('/api/vulnerabilities', { ...vulnerability, discoveryDate: '2024-05-01' });
    const { _id } = created.json<Detail>();
    const again = await put(_id, { discoveryDate: '2024-05-01T18:00:00-08:00' });
    expect([again.statusCode, again.headers['etag']]).toEqual([200, created.headers['etag']]);
  });

  it('an edit is logged with the days before and after', async () => {
    const created = await ada.post('/api/vulnerabilities', { ...vulnerability, discoveryDate: '2024-05-01' });
    const { _id } = created.json<Detail>();
    await put(_id, { discoveryDate: '2024-05-02' });
    const log = await ada.get(`/api/activity?nounId=${_id}`);
    const [entry] = log.json<{ activity: { detail: unknown }[] }>().activity;
    expect(entry?.detail).toEqual({ changes: { discoveryDate: { from: '2024-05-01', to: '2024-05-02' } } });
  });

  it('a fix before the discovery is refused at the fix date, also when only one of both is sent', async () => {
    const [first, second] = ['2024-05-01', '2024-05-02'];
    const details = [{ path: 'fixDate', message: 'The fix date must not be before the discovery date.' }];
    const refused = await ada.post('/api/vulnerabilities', {
      ...vulnerability,
      discoveryDate: second,
      fixDate: first,
    });
    expect([refused.statusCode, refused.json()]).toEqual([422, expect.objectContaining({ details })]);
    const { _id } = (
      await ada.post('/api/vulnerabilities', { ...vulnerability, discoveryDate: second })
    ).json<Detail>();
    expect((await put(_id, { fixDate: first })).json()).toMatchObject({ statusCode: 422, details });
    expect((await put(_id, { fixDate: second })).statusCode).toBe(200);
    expect((await put(_id, { discoveryDate: '2024-05-03' })).json()).toMatchObject({ details });
    expect((await put(_id, { discoveryDate: '2024-05-03', fixDate: '' })).statusCode).toBe(200);
  });

  it('a fix before the discovery that is stored already does not refuse other changes', async () => {
    const { _id } = (await ada.post('/api/vulnerabilities', vulnerability)).json<Detail>();
    await rowMaker(api, ada).inside((trx) =>
      trx
        .updateTable('vulnerability')
        .set({ discovery_date: '2024-05-02', fix_date: '2024-05-01' })
        .where('id', '=', _id)
        .execute(),
    );
    expect((await put(_id, { status: 'fixed' })).statusCode).toBe(200);
    const sent = (await ada.get(`/api/vulnerabilities/${_id}`)).json<Detail>();
    expect((await put(_id, sent)).statusCode).toBe(200);
  });

  it('a deleted vulnerability is restored with its days', async () => {
    const created = await ada.post('/api/vulnerabilities', { ...vulnerability, discoveryDate: '2024-05-01' });
    const { _id } = created.json<Detail>();
    await ada.delete(`/api/vulnerabilities/${_id}`);
    await ada.post('/api/vulnerabilities/restore', { ids: [_id] });
    expect((await ada.get(`/api/vulnerabilities/${_id}`)).json<Detail>().discoveryDate).toBe('2024-05-01');
  });

  it('a project from 29 to 30 March 2026 is accepted, and one that ends on its first day is refused', async () => {
    const project = { name: 'Harbour', description: 'd', startDate: '2026-03-29' };
    const accepted = await ada.post('/api/projects', { ...project, plannedEndDate: '2026-03-30' });
    expect([accepted.statusCode, accepted.json()]).toEqual([
      201,
      expect.objectContaining({ startDate: '2026-03-29', plannedEndDate: '2026-03-30' }),
    ]);
    const refused = await ada.post('/api/projects', { ...project, plannedEndDate: '2026-03-29T23:00:00Z' });
    expect(refused.statusCode).toBe(422);
  });
});

describe('lists of calendar days', () => {
  let reader: Person;
  const query = async (search: string) =>
    (await reader.get(`/api/vulnerabilities?sort=discoveryDate&${search}`))
      .json<{
        vulnerabilities: { discoveryDate: string | null }[];
      }>()
      .vulnerabilities.map((row) => row.discoveryDate);

  beforeAll(async () => {
    reader = await signUp(api);
    for (const discoveryDate of ['2024-04-30', '2024-05-01', '2024-05-02', ''])
      await reader.post('/api/vulnerabilities', { ...vulnerability, discoveryDate });
  });

  it.each([
    ['discoveryDateMin=2024-05-01', ['2024-05-01', '2024-05-02']],
    ['discoveryDateMax=2024-05-01', ['2024-04-30', '2024-05-01']],
    ['discoveryDateMin=2024-05-01&discoveryDateMax=2024-05-01', ['2024-05-01']],
    ['discoveryDateMin=2024-05-01T23:00:00-08:00', ['2024-05-01', '2024-05-02']],
    ['discoveryDateMax=2024-05-01&discoveryDate=N/A', ['2024-04-30', '2024-05-01', null]],
  ])('%s includes both days of the range', async (search, days) => {
    expect(await query(search)).toEqual(days);
  });

  it('a facet has the first and the last day', async () => {
    const reply = await reader.get('/api/vulnerabilities/facets?field=discoveryDate');
    expect(reply.json()).toMatchObject({
      facets: { discoveryDate: { min: '2024-04-30', max: '2024-05-02' } },
    });
  });

  it('an export has the days as they are written', async () => {
    const csv = await reader.get('/api/vulnerabilities/export?sort=discoveryDate&columns=discoveryDate,name');
    expect(csvLines(csv.body).slice(1)).toEqual([
      '2024-04-30,Overflow',
      '2024-05-01,Overflow',
      '2024-05-02,Overflow',
      ',Overflow',
    ]);
    const json = await reader.get(
      '/api/vulnerabilities/export?format=json&columns=discoveryDate&sort=discoveryDate',
    );
    expect(json.json<Detail[]>().map((row) => row.discoveryDate)).toEqual([
      '2024-04-30',
      '2024-05-01',
      '2024-05-02',
      null,
    ]);
  });

  it('the database has dates', async () => {
    const rows = await rowMaker(api, reader).inside((trx) =>
      trx.selectFrom('vulnerability').select('discovery_date').orderBy('discovery_date').execute(),
    );
    expect(rows.map((row) => row.discovery_date)).toEqual(['2024-04-30', '2024-05-01', '2024-05-02', null]);
  });
});
