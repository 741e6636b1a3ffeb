import type { Facets, Vulnerability } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvLines } from '../testing/csv.ts';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { calculateScore } from '../testing/scores.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { makeVignette } from '../testing/vignettes.ts';

let api: TestApi;
let ada: Person;
let stale: string;
/** One without a score, one with a current score and a factor of an analyst, one with a stale and lower score. */
beforeAll(async () => {
  api = await startApi();
  ada = await signUp(api);
  const [none, current, changed] = [newId(), newId(), newId()];
  stale = changed;
  await asWorker(api, ada).inside(async (trx) => {
    for (const [id, name] of [
      [none, 'None'],
      [current, 'Current'],
      [changed, 'Changed'],
    ] as const)
      await trx
        .insertInto('vulnerability')
        .values({ organization_id: ada.user.organizationId, id, name, cwe: ['CWE-79'] })
        .execute();
  });
  const vignetteId = await makeVignette(api, ada, { name: 'Shop' });
  for (const id of [current, changed]) await calculateScore(api, ada, { id, vignetteId });
  await put(ada, `/api/vulnerabilities/${current}/cwss/factors`, {
    BI: { value: 'C', reason: 'Sells all.' },
    AP: { value: 'A', reason: 'Root.' },
  });
  await put(ada, `/api/vulnerabilities/${changed}`, { cwe: 'CWE-89', cveId: 'CVE-2024-1111' });
});
afterAll(() => api.close());

const list = async (query: string): Promise<Vulnerability[]> =>
  (await ada.get(`/api/vulnerabilities?${query}`)).json<{ vulnerabilities: Vulnerability[] }>()
    .vulnerabilities;
const names = async (query: string) => (await list(query)).map(({ name }) => name);

describe('the CWSS columns of the list of vulnerabilities', () => {
  it('show state, reasons and the factors that analysts set', async () => {
    expect(await list('sort=name')).toMatchObject([
      {
        name: 'Changed',
        cwssState: 'stale',
        cwssStale: ['cve', 'cwe'],
        cwssOverrides: [],
        appliedVignette: 'Shop',
      },
      {
        name: 'Current',
        cwssState: 'current',
        cwssStale: [],
        cwssOverrides: ['AP', 'BI'],
        appliedVignette: 'Shop',
      },
      {
        name: 'None',
        cwssScore: null,
        cwssState: null,
        cwssStale: [],
        cwssOverrides: [],
        appliedVignette: '',
      },
    ]);
    expect((await ada.get(`/api/vulnerabilities/${stale}`)).json()).toMatchObject({
      cwssState: 'stale',
      cwssStale: ['cve', 'cwe'],
      cwssOverrides: [],
    });
  });

  it.each([
    ['cwssState=stale', ['Changed']],
    ['cwssState=current', ['Current']],
    ['cwssState=N/A', ['None']],
    ['cwssState=stale&cwssState=N/A&sort=name', ['Changed', 'None']],
    ['cwssStale=cwe', ['Changed']],
    ['cwssStale=vignette', []],
    ['cwssOverrides=BI', ['Current']],
    ['cwssOverrides=EX', []],
    ['cwssOverrides=N/A&sort=name', ['Changed', 'None']],
    ['cwssScoreMin=0.1&sort=name', ['Changed', 'Current']],
    ['cwssScore=N/A', ['None']],
    ['appliedVignette=Shop&sort=-cwssScore', ['Current', 'Changed']],
    ['sort=-cwssScore', ['Current', 'Changed', 'None']],
    ['sort=cwssScore', ['Changed', 'Current', 'None']],
  ])('are filtered and sorted by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('are bounded by cwssScoreMin and cwssScoreMax, the bounds included', async () => {
    const [{ cwssScore: high } = {}, { cwssScore: low } = {}] = await list('sort=-cwssScore');
    expect(Number(high)).toBeGreaterThan(Number(low));
    expect(await names(`cwssScoreMin=${high}`)).toEqual(['Current']);
    expect(await names(`cwssScoreMax=${low}`)).toEqual(['Changed']);
    expect(await names(`cwssScoreMin=${Number(high) + 0.1}`)).toEqual([]);
    expect(await names(`cwssScoreMin=${low}&cwssScoreMax=${high}&sort=name`)).toEqual(['Changed', 'Current']);
  });

  it.each(['cwssState=old', 'cwssScoreMin=x', 'sort=cwssState'])('refuse %s with 422', async (query) => {
    expect((await ada.get(`/api/vulnerabilities?${query}`)).statusCode).toBe(422);
  });

  it('have facets with counts', async () => {
    const { facets } = (
      await ada.get('/api/vulnerabilities/facets?field=cwssState&field=cwssOverrides&field=cwssScore')
    ).json<Facets>();
    expect(facets['cwssState']?.values).toHaveLength(3);
    expect(facets['cwssState']?.values).toEqual(
      expect.arrayContaining([
        { value: 'current', count: 1 },
        { value: 'stale', count: 1 },
        { value: 'N/A', count: 1 },
      ]),
    );
    expect(facets['cwssOverrides']?.values).toEqual([
      { value: 'N/A', count: 2 },
      { value: 'AP', count: 1 },
      { value: 'BI', count: 1 },
    ]);
    const [{ cwssScore: max } = {}, { cwssScore: min } = {}] = await list('sort=-cwssScore');
    expect(facets['cwssScore']).toMatchObject({ min, max });
  });

  it('are exported as CSV and JSON', async () => {
    const query = 'sort=name&columns=name,cwssState,cwssStale,cwssOverrides,appliedVignette';
    const csv = await ada.get(`/api/vulnerabilities/export?${query}`);
    expect(csvLines(csv.body)).toEqual([
      'Name,CWSS State,CWSS Stale Reasons,CWSS Overrides,Applied Vignette',
      'Changed,stale,cve; cwe,,Shop',
      'Current,current,,AP; BI,Shop',
      'None,,,,',
    ]);
    const json = await ada.get(`/api/vulnerabilities/export?format=json&${query}`);
    expect(json.json()).toMatchObject([
      { cwssState: 'stale', cwssStale: ['cve', 'cwe'], cwssOverrides: [] },
      { cwssState: 'current', cwssOverrides: ['AP', 'BI'] },
      { cwssState: null, cwssOverrides: [] },
    ]);
  });

  it('select what a bulk calculation scores', async () => {
    const vignetteId = await makeVignette(api, ada, { name: 'Bank' });
    const answer = await ada.post('/api/reports/vulnerability/calculateCwss/bulk', {
      vignetteId,
      filter: { cwssState: ['stale'], cwssScoreMax: 50 },
    });
    expect(answer.statusCode).toBe(202);
    const { rows } = await asWorker(api, ada).inside((trx) =>
      sql<{
        filter: object;
      }>`select payload -> 'filter' as filter from job where kind = 'cwss.calculate'`.execute(trx),
    );
    expect(rows).toEqual([{ filter: { cwssState: ['stale'], cwssScoreMax: 50 } }]);
  });
});
