import type { Facets } from '@riskboard/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { strangeId } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let fileId: string;
let assetId: string;
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  const { make, asset, imported, inside } = rowMaker(api, ada);
  const [first = ''] = await make('vulnerability', [
    { name: 'Log4Shell 100% sure_thing', cve_id: 'CVE-2021-44228' },
    { name: String.raw`Back\slash`, cve_id: 'CVE-2014-0160' },
    { name: 'sureXthing', cve_id: '' },
  ]);
  await make('threat', [
    { name: 'Phishing', threat_id: 'T1566' },
    { name: 'Injection', threat_id: 'CAPEC-66' },
  ]);
  ({ fileId } = await imported('vulnerability', { key: 'From the harbour', file: 'Harbour_2024.json' }));
  await imported('threat', { key: 'Sabotage', file: 'Threats.json' });
  assetId = await asset('Crane');
  await inside((trx) =>
    trx
      .insertInto('vulnerability_asset')
      .values({ organization_id: ada.user.organizationId, vulnerability_id: first, asset_id: assetId })
      .execute(),
  );
  const stranger = rowMaker(api, await signUp(api));
  await stranger.make('vulnerability', [{ name: 'Log4Shell 100% sure_thing', cve_id: 'CVE-2021-44228' }]);
});
afterAll(() => api.close());

const found = async (noun: string, query: Record<string, string>): Promise<string[]> => {
  const answer = await ada.get(`/api/${noun}?${new URLSearchParams({ sort: 'name', ...query }).toString()}`);
  expect(answer.statusCode).toBe(200);
  const reply = answer.json<{ total: number } & Record<string, { name: string }[]>>();
  const names = (reply[noun] ?? []).map((row) => row.name);
  expect(reply.total).toBe(names.length);
  return names;
};

const log4shell = 'Log4Shell 100% sure_thing';
const harbour = 'From the harbour';

describe('searching', () => {
  it.each([
    ['vulnerabilities', 'LOG4', [log4shell]],
    ['vulnerabilities', '  log4shell  ', [log4shell]],
    ['vulnerabilities', 'cve-2021', [log4shell]],
    ['vulnerabilities', '0160', [String.raw`Back\slash`]],
    ['vulnerabilities', 'harbour_2024', [harbour]],
    ['vulnerabilities', '4', [String.raw`Back\slash`, harbour, log4shell]],
    ['vulnerabilities', 'sure_', [log4shell]],
    ['vulnerabilities', '0%', [log4shell]],
    ['vulnerabilities', '%', [log4shell]],
    ['vulnerabilities', '\\', [String.raw`Back\slash`]],
    ['vulnerabilities', "'; drop table threat; --", []],
    ['vulnerabilities', 'nothing of the kind', []],
    ['threats', 't1566', ['Phishing']],
    ['threats', 'capec-66', ['Injection']],
    ['threats', 'threats.json', ['Sabotage']],
    ['threats', 'harbour', []],
  ])('%s for %j finds %j', async (noun, search, names) => {
    expect((await found(noun, { search })).toSorted()).toEqual(names.toSorted());
  });

  it('combines with other filters', async () => {
    expect(await found('vulnerabilities', { search: '4', imported: 'true' })).toEqual([harbour]);
    expect(await found('vulnerabilities', { imported: 'true' })).toEqual([harbour]);
    expect(await found('vulnerabilities', { imported: 'false' })).not.toContain(harbour);
    expect(await found('threats', { imported: 'false' })).toEqual(['Injection', 'Phishing']);
    expect(
      await found('vulnerabilities', { search: '4', imported: 'false', cveId: 'CVE-2021-44228' }),
    ).toEqual([log4shell]);
  });
});

describe('lists filtered by file, asset or source', () => {
  it.each([
    [() => ({ fileId }), [harbour]],
    [() => ({ assetId }), [log4shell]],
    [() => ({ fileId: assetId }), []],
    [() => ({ imported: 'true' }), [harbour]],
    [() => ({ sourceFile: 'Harbour_2024.json' }), [harbour]],
  ])('row %#', async (query, names) => {
    expect(await found('vulnerabilities', query() as Record<string, string>)).toEqual(names);
  });

  it('imported=true omits records without a source file (spec 5)', async () => {
    const answer = await ada.get('/api/reports/vulnerabilities?imported=false');
    expect(answer.json<{ items: { name: string }[] }>().items.map(({ name }) => name)).toEqual([harbour]);
  });
});

describe('a page', () => {
  it('beyond the end is empty and has the total', async () => {
    const answer = await ada.get('/api/vulnerabilities?page=900&pageSize=3');
    expect(answer.json()).toMatchObject({
      vulnerabilities: [],
      total: 4,
      page: 900,
      pageSize: 3,
      nextCursor: null,
    });
  });

  it.each([
    ['page=0'],
    ['pageSize=501'],
    ['sort=description'],
    ['sort=createdAt,name'],
    ['severity=huge'],
    ['cvssScoreMin=ten'],
    ['cvssScoreMin=0x5'],
    ['createdAtMin=yesterday'],
    ['cvssScore=7'],
    ['search=%00'],
    ['fileId=x'],
    ['imported=perhaps'],
    [`search=${'x'.repeat(201)}`],
  ])('with the query %s is 422', async (query) => {
    const answer = await ada.get(`/api/vulnerabilities?${query}`);
    expect(answer.statusCode).toBe(422);
  });

  it.each([
    ['', 'severty=critical', 'severty'],
    ['', 'severity[]=low', 'severity[]'],
    ['/facets', 'severty=critical', 'severty'],
    ['/export', 'severty=critical', 'severty'],
  ])('vulnerabilities%s?%s is 422 and names the unknown parameter', async (end, query, name) => {
    const answer = await ada.get(`/api/vulnerabilities${end}?${query}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ message: `Unknown: ${name}.` });
  });

  it.each([
    '/api/vulnerabilities?cveId=&sourceFile=&cvssScoreMin=&createdAtMax=&fileId=&status=&status=open',
    '/api/jobs?state=&kind=&fileId=',
    '/api/reports/files?name=&createdAtMin=',
  ])('%s ignores the empty values', async (url) => {
    const [path = ''] = url.split('?');
    const [given, all] = [await ada.get(url), await ada.get(path)];
    expect(given.statusCode).toBe(200);
    expect(given.json()).toMatchObject({ total: all.json<{ total: number }>().total });
  });

  it('of the facets of imported vulnerabilities counts no others', async () => {
    const counts = async (path: string) => {
      const { facets } = (await ada.get(`${path}/facets?field=sourceFile`)).json<Facets>();
      return facets['sourceFile']?.values.map(({ value }) => value).toSorted();
    };
    const everywhere = await counts('/api/vulnerabilities');
    expect(everywhere).toContain('N/A');
    expect(await counts('/api/reports/vulnerabilities')).toEqual(
      everywhere?.filter((value) => value !== 'N/A'),
    );
  });

  it.each(['vulnerabilities', 'threats', 'assets', 'projects', 'reports/files'])(
    'of %s has the rows that are named by id',
    async (list) => {
      const total = async (query: string) =>
        (await ada.get(`/api/${list}?${query}`)).json<{ total: number }>().total;
      expect(await total('')).toBeGreaterThan(0);
      expect(await total(`ids=${strangeId()}`)).toBe(0);
    },
  );

  it('refuses a cursor of another list, of other filters, of another order or that is malformed', async () => {
    const cursorOf = async (list: string) =>
      (await ada.get(`/api/${list}`)).json<{ nextCursor: string }>().nextCursor;
    const byName = await cursorOf('vulnerabilities?pageSize=1&sort=name');
    expect((await ada.get(`/api/vulnerabilities?pageSize=2&sort=name&cursor=${byName}`)).statusCode).toBe(
      200,
    );
    const id = '019a0000-0000-7000-8000-000000000000';
    const forged = async (sort: string, ...rest: unknown[]) => {
      const own = await cursorOf(`vulnerabilities?pageSize=1&sort=${sort}`);
      const [order] = JSON.parse(Buffer.from(own, 'base64url').toString()) as string[];
      return Buffer.from(JSON.stringify([order, ...rest])).toString('base64url');
    };
    for (const [list, cursor] of [
      ['vulnerabilities?sort=-name', byName],
      ['vulnerabilities?sort=cvssScore', byName],
      ['vulnerabilities?sort=name&status=open', byName],
      ['threats?sort=name', byName],
      ['vulnerabilities?sort=cvssScore', 'x'],
      ['vulnerabilities?sort=cvssScore', Buffer.from('{}').toString('base64url')],
      ['vulnerabilities?sort=cvssScore', await forged('cvssScore', 'Log4Shell', id, 4)],
      ['vulnerabilities?sort=createdAt', await forged('createdAt', '2024-02-30 00:00:00+00', id, 4)],
      ['vulnerabilities?sort=name', await forged('name', 'a\0b', id, 4)],
      ['vulnerabilities?sort=name', await forged('name', 'a', 'no id', 4)],
      ['vulnerabilities?sort=name', await forged('name', 'a', id, -1)],
    ]) {
      const answer = await ada.get(`/api/${list}&cursor=${cursor}`);
      expect([list, cursor, answer.statusCode]).toEqual([list, cursor, 422]);
      expect(answer.json()).toMatchObject({ details: [{ path: 'cursor' }] });
    }
  });

  it('filtered up to a day includes the whole day', async () => {
    const { make } = rowMaker(api, ada);
    const [id = ''] = await make('threat', [{ name: 'Late', created_at: '2020-05-05T23:59:59.999999Z' }]);
    const days = { createdAtMin: '2020-05-05', createdAtMax: '2020-05-05' };
    expect(await found('threats', days)).toEqual(['Late']);
    expect(await found('threats', { createdAtMax: '2020-05-04' })).toEqual([]);
    expect((await ada.delete(`/api/threats/${id}`)).statusCode).toBe(200);
  });
});

it.each(['K\u00F6ln', 'Ko\u0308ln'])('%j finds a record whose name was sent decomposed', async (search) => {
  const sent = { name: `Harbor of Ko\u0308ln ${search.length}`, description: 'd', threatTypeId: 1 };
  expect((await ada.post('/api/threats', sent)).statusCode).toBe(201);
  const name = sent.name.normalize('NFC');
  expect(await found('threats', { search })).toContain(name);
  const everywhere = await ada.get(`/api/search?${new URLSearchParams({ q: search }).toString()}`);
  expect(everywhere.body).toContain(name);
});
