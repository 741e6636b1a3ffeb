import { newId } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
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

type Noun = 'vulnerabilities' | 'threats' | 'assets';

/** Names in the list, and in its export; the facet of `field` counts as many. */
async function named(noun: Noun, query: string, field: string): Promise<string[]> {
  const list = (await ada.get(`/api/${noun}?sort=name&${query}`)).json<Record<Noun, { name: string }[]>>();
  const names = list[noun].map(({ name }) => name);
  const exported = await ada.get(`/api/${noun}/export?format=json&sort=name&columns=name&${query}`);
  expect(exported.json<{ name: string }[]>().map(({ name }) => name)).toEqual(names);
  const facets = (await ada.get(`/api/${noun}/facets?field=${field}&${query}`)).json<{
    facets: Record<string, { values: { count: number }[] }>;
  }>();
  const counted = facets.facets[field]?.values.reduce((sum, { count }) => sum + count, 0);
  expect(counted).toBe(names.length);
  return names;
}

describe.each([
  { noun: 'vulnerabilities', table: 'vulnerability', filter: 'statusChangedAt', column: 'status_changed_at' },
  {
    noun: 'vulnerabilities',
    table: 'vulnerability',
    filter: 'severityChangedAt',
    column: 'severity_changed_at',
  },
  { noun: 'threats', table: 'threat', filter: 'levelChangedAt', column: 'level_changed_at' },
  { noun: 'assets', table: 'asset', filter: 'riskChangedAt', column: 'risk_changed_at' },
] as const)('the filter $filter of $noun', ({ noun, table, filter, column }) => {
  const facet = { vulnerabilities: 'status', threats: 'isActive', assets: 'health' }[noun];

  beforeEach(async () => {
    const project =
      table === 'asset' ? await rows.make('project', [{ name: 'Harbour', start_date: '2026-01-01' }]) : [];
    const asset = table === 'asset' ? { project_id: project[0], asset_type_id: 1 } : {};
    const times = [
      ['before', '2026-03-01T23:59:59.999Z'],
      ['first', '2026-03-02T00:00:00Z'],
      ['last', '2026-03-03T23:59:59.999Z'],
      ['after', '2026-03-04T00:00:00Z'],
      ['never', null],
    ] as const;
    await rows.make(
      table,
      times.map(([name, time]) => ({ name, ...asset, [column]: time })),
    );
  });

  it('includes the days in UTC of both bounds, in list, facets and export', async () => {
    expect(await named(noun, `${filter}Min=2026-03-02&${filter}Max=2026-03-03`, facet)).toEqual([
      'first',
      'last',
    ]);
    expect(await named(noun, `${filter}Min=2026-03-04`, facet)).toEqual(['after']);
    expect(await named(noun, `${filter}Max=2026-03-01`, facet)).toEqual(['before']);
  });

  it('selects the same rows of a bulk edit', async () => {
    const change = {
      vulnerabilities: { status: 'accepted' },
      threats: { isActive: false },
      assets: { criticality: 2 },
    };
    const answer = await put(ada, `/api/${noun}/bulk`, {
      filter: { [`${filter}Min`]: '2026-03-02', [`${filter}Max`]: '2026-03-03' },
      change: change[noun],
    });
    expect(answer.json()).toMatchObject({ updatedCount: 2 });
  });

  it('refuses what is not a day or time', async () => {
    expect((await ada.get(`/api/${noun}?${filter}Min=soon`)).statusCode).toBe(422);
  });
});

describe('the filter onAssets of vulnerabilities', () => {
  it('selects those that are related to an asset, or to a mission-critical one', async () => {
    const ids = await rows.make('vulnerability', [
      { name: 'loose' },
      { name: 'on-lamp' },
      { name: 'on-radar' },
    ]);
    const [lamp, radar] = [await rows.asset('Lamp'), await rows.asset('Radar')];
    const related = [
      [ids[1], lamp],
      [ids[2], radar],
    ];
    for (const [id, asset] of related)
      await put(ada, `/api/vulnerabilities/${id}`, { relatedAssets: [asset] });
    await put(ada, `/api/assets/${radar}`, { criticality: 4 });
    expect(await named('vulnerabilities', 'onAssets=any', 'status')).toEqual(['on-lamp', 'on-radar']);
    expect(await named('vulnerabilities', 'onAssets=mission-critical', 'status')).toEqual(['on-radar']);
    expect((await ada.get('/api/vulnerabilities?onAssets=some')).statusCode).toBe(422);
  });
});

describe('the filters of assets that name a record', () => {
  it('select the assets that are related to it, together with other filters, in the organization alone', async () => {
    const [project] = await rows.make('project', [{ name: 'Harbour', start_date: '2026-01-01' }]);
    const assets = ['crane', 'lift', 'pump'].map((name) => ({ name, project_id: project, asset_type_id: 1 }));
    const [crane = '', lift = '', pump = ''] = await rows.make('asset', assets);
    const [threat = ''] = await rows.make('threat', [{ name: 'Flood' }]);
    const [vulnerability = ''] = await rows.make('vulnerability', [{ name: 'Rust' }]);
    await put(ada, `/api/threats/${threat}`, { relatedAssets: [crane, lift] });
    await put(ada, `/api/vulnerabilities/${vulnerability}`, { relatedAssets: [lift, pump] });
    await put(ada, `/api/assets/${crane}`, { relatedAssets: [pump] });
    await put(ada, `/api/assets/${lift}`, { relatedAssets: [pump] });

    const related = {
      threatId: { id: threat, names: ['crane', 'lift'] },
      vulnerabilityId: { id: vulnerability, names: ['lift', 'pump'] },
      dependsOn: { id: pump, names: ['crane', 'lift'] },
    };
    const eve = await signUp(api);
    for (const [filter, { id, names }] of Object.entries(related)) {
      expect(await named('assets', `${filter}=${id}`, 'health')).toEqual(names);
      expect(await named('assets', `${filter}=${id}&search=lift`, 'health')).toEqual(['lift']);
      expect(await named('assets', `${filter}=${newId()}`, 'health')).toEqual([]);
      expect((await eve.get(`/api/assets?${filter}=${id}`)).json()).toMatchObject({ total: 0 });
      expect((await ada.get(`/api/assets?${filter}=lift`)).statusCode).toBe(422);
    }
  });
});

describe('the filter vignetteId of vulnerabilities', () => {
  it('selects those whose newest score applies the vignette, also under its former name', async () => {
    const [shop, other] = [newId(), newId()];
    const scored = (cwss_vignette_id: string, applied_vignette: string) => ({
      cwss_score: 40,
      cwss_vignette_id,
      applied_vignette,
    });
    await rows.make('vulnerability', [
      { name: 'before-rename', ...scored(shop, 'Shop') },
      { name: 'after-rename', ...scored(shop, 'Web shop') },
      { name: 'of-other', ...scored(other, 'Shop') },
      { name: 'unscored' },
    ]);
    const query = `vignetteId=${shop}`;
    expect(await named('vulnerabilities', query, 'status')).toEqual(['after-rename', 'before-rename']);
    expect(await named('vulnerabilities', `${query}&search=before`, 'status')).toEqual(['before-rename']);
    expect((await ada.get('/api/vulnerabilities?vignetteId=Shop')).statusCode).toBe(422);

    const all = await ada.delete('/api/vulnerabilities/bulk', { filter: { vignetteId: shop } });
    expect(all.json()).toMatchObject({ deletedCount: 2 });
    expect(await named('vulnerabilities', 'search=', 'status')).toEqual(['of-other', 'unscored']);
  });
});

describe('new vulnerabilities', () => {
  it('are open and created since the start of the UTC day 30 days ago, in list and metric card', async () => {
    const start = sql`(date_trunc('day', now() at time zone 'UTC') - interval '30 days') at time zone 'UTC'`;
    await rows.make('vulnerability', [
      { name: 'first', created_at: start },
      { name: 'too-old', created_at: sql`${start} - interval '1 microsecond'` },
      { name: 'today' },
      { name: 'fixed', status: 'fixed' },
    ]);
    expect(await named('vulnerabilities', 'status=new', 'severity')).toEqual(['first', 'today']);
    expect((await ada.get('/api/vulnerabilities/metrics')).json()).toMatchObject({ new: 2 });
  });
});
