import type {
  ExposureTrend,
  OverviewExplanation,
  OverviewMetrics,
  RiskCategories,
} from '@riskboard/contract';
import { explainedMetrics } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { rowMaker } from '../testing/records.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** A repeatable sequence of numbers from 0 up to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An organization with records of every kind, some of them edited, related and deleted afterwards. */
async function generate(person: Person, seed: number): Promise<void> {
  const random = randomOf(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const rows = rowMaker(api, person);
  const daysAgo = (most: number) => sql`now() - ${`${Math.floor(random() * most)} days`}::interval`;
  const upTo = (most: number) => Math.floor(random() * most);

  const assets: string[] = [];
  for (let n = 0; n < 6; n += 1) assets.push(await rows.asset(`Asset ${n}`));
  for (const id of assets)
    await put(person, `/api/assets/${id}`, {
      criticality: pick([1, 3, 4, 5]),
      confidentialityLevel: pick([1, 5]),
      integrityLevel: pick([1, 4]),
      replacementCost: pick([5000, 30_000]),
      recoveryCost: pick([5000, 150_000]),
    });
  const threats = await rows.make(
    'threat',
    Array.from({ length: 4 + upTo(20) }, (_, n) => ({
      name: `Threat ${n}`,
      risk_level: pick([null, 0, 30, 31, 60, 61, 100]),
      is_active: random() < 0.7,
    })),
  );
  const vulnerabilities = await rows.make(
    'vulnerability',
    Array.from({ length: 20 + upTo(40) }, (_, n) => ({
      name: `Vulnerability ${n}`,
      severity: pick([null, 0, 3.9, 4, 6.9, 7, 8.9, 9, 10]),
      status: pick(['open', 'open', 'open', 'fixed', 'mitigated', 'accepted']),
      category_id: pick([null, 1, 2, 3, 4, 5, 6]),
      created_at: daysAgo(45),
      discovery_date: random() < 0.5 ? null : sql`(${daysAgo(400)})::date`,
    })),
  );
  for (const id of vulnerabilities)
    if (random() < 0.4) await put(person, `/api/vulnerabilities/${id}`, { relatedAssets: [pick(assets)] });
  for (const id of vulnerabilities.slice(0, 12))
    await put(person, `/api/vulnerabilities/${id}`, {
      severity: pick([5, 9.5]),
      status: pick(['open', 'fixed']),
    });
  const removed = (ids: string[]) => ids.slice(-3);
  await person.call({
    method: 'DELETE',
    url: '/api/vulnerabilities/bulk',
    body: { ids: removed(vulnerabilities) },
  });
  await person.call({ method: 'DELETE', url: '/api/threats/bulk', body: { ids: removed(threats) } });
}

const read = async <T>(person: Person, path: string) => {
  const reply = await person.get(`/api/overview/${path}`);
  if (reply.statusCode !== 200) throw new Error(reply.body);
  return reply.json<T>();
};

/** Rows of the list that a link opens. */
async function rowsOf(person: Person, link: string): Promise<number> {
  const url = new URL(link.replace('/dashboard/', '/api/'), 'http://localhost');
  url.searchParams.set('pageSize', '1');
  const reply = await person.get(`${url.pathname}${url.search}`);
  if (reply.statusCode !== 200) throw new Error(`${link}: ${reply.body}`);
  return reply.json<{ total: number }>().total;
}

/** Every number with the list that it opens. */
async function linkedNumbers(person: Person): Promise<[name: string, value: number, link: string][]> {
  const metrics = await read<OverviewMetrics>(person, 'metrics');
  const { categories } = await read<RiskCategories>(person, 'risk-categories');
  const explanations = await Promise.all(
    explainedMetrics.map((metric) => read<OverviewExplanation>(person, `explain/${metric}`)),
  );
  const cards = [
    'totalThreats',
    'activeThreats',
    'openVulnerabilities',
    'newVulnerabilities',
    'assetsAtRisk',
  ] as const;
  return [
    ...cards.map((name): [string, number, string] => [name, metrics[name].value, metrics[name].link]),
    ['high threats', metrics.totalThreats.high, '/dashboard/threats?risk=high'],
    [
      'open critical',
      metrics.openVulnerabilities.critical,
      '/dashboard/vulnerabilities?severity=critical&status=open',
    ],
    ...[...metrics.alerts, ...metrics.insights].map(({ code, count, link }): [string, number, string] => [
      code,
      count,
      link,
    ]),
    ...metrics.funnel.map(({ step, count, link }): [string, number, string] => [step, count, link]),
    ...metrics.headline.flatMap(({ text, link }): [string, number, string][] =>
      link === null ? [] : [[text, Number.parseInt(text, 10), link]],
    ),
    ...categories.map(({ name, count, link }): [string, number, string] => [name, count, link]),
    ...explanations.flatMap(({ metric, inputs }) =>
      inputs.flatMap(({ name, value, query }): [string, number, string][] =>
        query === null ? [] : [[`${metric}: ${name}`, value, query]],
      ),
    ),
  ];
}

describe('the numbers of the overview', () => {
  it.each([1, 2, 3])(
    'equal the counts of the lists that their links open, in generated organization %i',
    async (seed) => {
      const person = await signUp(api);
      await generate(person, seed);
      const numbers = await linkedNumbers(person);
      expect(numbers.length).toBeGreaterThan(40);
      for (const [name, value, link] of numbers)
        expect([name, link, await rowsOf(person, link)]).toEqual([name, link, value]);
      const { severity } = (await read<ExposureTrend>(person, 'risk-exposure-trend')).at(-1) ?? {};
      const exposure = await read<OverviewExplanation>(person, 'explain/riskExposure');
      expect(exposure.value).toBe(severity);
      const { estimatedImpact } = await read<RiskCategories>(person, 'risk-categories');
      const { assets } = (await person.get('/api/assets?status=at-risk&pageSize=500')).json<{
        assets: { replacementCost: number; recoveryCost: number }[];
      }>();
      const costs = assets.reduce((sum, asset) => sum + asset.replacementCost + asset.recoveryCost, 0);
      expect(estimatedImpact).toBe(costs);
      const impact = await read<OverviewExplanation>(person, 'explain/estimatedImpact');
      expect(impact.inputs.at(-1)?.value).toBe(costs);
    },
  );

  it('show nothing of another organization', async () => {
    const [ada, ben] = [await signUp(api), await signUp(api)];
    await generate(ada, 4);
    const metrics = await read<OverviewMetrics>(ben, 'metrics');
    expect(metrics.funnel.map(({ count }) => count)).toEqual([0, 0, 0, 0]);
    expect(metrics).toMatchObject({
      totalThreats: { value: 0 },
      assetsAtRisk: { value: 0 },
      overallRisk: { value: 0, band: 'Low', bar: 100 },
      remediationRate: { value: 100 },
      securityStatus: 'excellent',
      headline: [{ link: '/dashboard/reports' }],
      alerts: [],
      insights: [],
      comparedWith: null,
    });
    expect(await read<RiskCategories>(ben, 'risk-categories')).toEqual({
      estimatedImpact: 0,
      lastSynced: null,
      categories: [],
    });
    expect((await read<ExposureTrend>(ben, 'risk-exposure-trend')).map(({ severity }) => severity)).toEqual(
      Array.from({ length: 12 }, () => null),
    );
  });

  it('change against the newest snapshot that is at least 30 days old, and name the score of Monday', async () => {
    const person = await signUp(api);
    const { inside, make } = rowMaker(api, person);
    await make('threat', [{ name: 'Emotet' }, { name: 'Dridex' }, { name: 'Qbot' }]);
    const before = { threats: { '': [2, 0] } };
    await inside(async (trx) => {
      for (const days of [60, 30, 7])
        await sql`
          insert into overview_snapshot (organization_id, day, totals, formula_version, taken_at)
          values (current_organization(), (now() at time zone 'UTC')::date - ${days}::int,
            ${JSON.stringify(days === 30 ? before : { threats: { '': [1, 0] } })}, '1', now())`.execute(trx);
    });
    const metrics = await read<OverviewMetrics>(person, 'metrics');
    expect(metrics.totalThreats).toMatchObject({ value: 3, change: 50, changeType: 'increase' });
    expect(metrics.overallRisk).toMatchObject({ value: 6, change: 50, changeType: 'increase' });
    expect(metrics.comparedWith).toBe(new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10));
    expect(metrics.headline[1]?.text).toMatch(/^Risk up 4 since .*day: 6 of 100$/u);
  });

  it('an unknown number to explain is not found', async () => {
    const person = await signUp(api);
    expect((await person.get('/api/overview/explain/luck')).statusCode).toBe(404);
  });
});
