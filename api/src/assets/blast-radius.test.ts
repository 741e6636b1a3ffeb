import type { AssetDetail, BlastRadius } from '@riskboard/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAsset, makeProject, makeRecords, put } from '../testing/make-records.ts';
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
});
afterAll(() => api.close());

/** Creates assets by name, each with the names of the assets that it depends on, which come before it. */
async function makeAssets(
  children: Readonly<Record<string, readonly string[]>>,
): Promise<Map<string, AssetDetail>> {
  const made = new Map<string, AssetDetail>();
  for (const [name, below] of Object.entries(children)) {
    const relatedAssets = below.map((child) => made.get(child)?._id);
    made.set(name, await makeAsset(ada, projectId, { name, relatedAssets }));
  }
  return made;
}

const read = async (id: string): Promise<BlastRadius> =>
  (await ada.get(`/api/assets/${id}/blast-radius`)).json<BlastRadius>();

describe('the blast radius of an asset', () => {
  it('has every asset that depends on it, nearest first, and the relations among them', async () => {
    const assets = await makeAssets({
      rack: [],
      base: ['rack'],
      app: ['base'],
      site: ['app', 'base'],
      shop: ['site'],
      other: ['rack'],
    });
    const idOf = (name: string) => assets.get(name)?._id ?? '';
    await put(ada, `/api/assets/${idOf('site')}`, { criticality: 5 });
    const { nodes, edges, truncated } = await read(idOf('base'));
    expect(nodes.map(({ name, distance, riskScore, health }) => [name, distance, riskScore, health])).toEqual(
      [
        ['site', 1, 3.3, 'Healthy'],
        ['app', 1, 0, 'Healthy'],
        ['shop', 2, 0, 'Healthy'],
      ],
    );
    const nameOf = new Map([...assets].map(([name, { _id }]) => [_id, name]));
    expect(edges.map(({ from, to }) => `${nameOf.get(from)} ${nameOf.get(to)}`).toSorted()).toEqual([
      'app base',
      'shop site',
      'site app',
      'site base',
    ]);
    expect(truncated).toBe(false);
    expect(await read(idOf('shop'))).toMatchObject({ nodes: [], edges: [], truncated: false });
  });

  it('has the open vulnerabilities of what it depends on, the most severe first, each with its shortest path', async () => {
    const assets = await makeAssets({
      rack: [],
      disk: [],
      base: ['rack', 'disk'],
      app: ['base'],
      site: ['app', 'rack'],
    });
    const ids = (...names: string[]) => names.map((name) => assets.get(name)?._id ?? '');
    const open = { status: 'open' };
    const vulnerability = (name: string, at: string[], columns: object) =>
      makeRecords(api, ada, { table: 'vulnerability', names: [name], assets: ids(...at), columns });
    await vulnerability('far', ['disk'], { ...open, severity: 5 });
    await vulnerability('near', ['app'], { ...open, severity: 5 });
    await vulnerability('twice', ['rack', 'base'], { ...open, cvss_score: 9.8, severity: 9 });
    await vulnerability('unrated', ['rack'], open);
    await vulnerability('fixed', ['rack'], { status: 'fixed', severity: 10 });
    await vulnerability('its own', ['site'], { ...open, severity: 10 });
    const [site = ''] = ids('site');
    const { exposure, exposureTotal, exposureTruncated } = await read(site);
    expect(
      exposure.map(({ vulnerability: { name, severity, cvssScore }, distance, path }) => [
        name,
        severity,
        cvssScore,
        distance,
        path.map((asset) => asset.name).join(' '),
      ]),
    ).toEqual([
      ['twice', 9, 9.8, 1, 'site rack'],
      ['near', 5, null, 1, 'site app'],
      ['far', 5, null, 3, 'site app base disk'],
      ['unrated', null, null, 1, 'site rack'],
    ]);
    expect(exposure[0]?.path.map(({ _id }) => _id)).toEqual(ids('site', 'rack'));
    expect(exposure[0]?.path[1]).toMatchObject({ health: 'Warning', riskScore: 0.7 });
    expect([exposureTotal, exposureTruncated]).toEqual([4, false]);
    expect(await read(ids('disk')[0] ?? '')).toMatchObject({ exposure: [], exposureTotal: 0 });
  });

  it('lists at most 200 vulnerabilities and counts all', async () => {
    const assets = await makeAssets({ base: [], app: ['base'] });
    const names = Array.from({ length: 205 }, (_, n) => `v${n}`);
    const base = assets.get('base')?._id ?? '';
    await makeRecords(api, ada, {
      table: 'vulnerability',
      names,
      assets: [base],
      columns: { status: 'open' },
    });
    const found = await read(assets.get('app')?._id ?? '');
    expect(found.exposure).toHaveLength(200);
    expect([found.exposureTotal, found.exposureTruncated]).toEqual([205, true]);
  });

  it('of an unknown or foreign asset is not found', async () => {
    const { _id } = await makeAsset(ada, projectId);
    const eve = await signUp(api);
    for (const id of [_id, strangeId()]) {
      const answer = await eve.get(`/api/assets/${id}/blast-radius`);
      expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
        404,
        'Asset not found.',
      ]);
    }
  });
});

const most = 7;
const graphs = fc.record({
  /** Whether each pair of assets is related; the later depends on the earlier. */
  pairs: fc.array(fc.boolean(), { minLength: (most * (most - 1)) / 2, maxLength: (most * (most - 1)) / 2 }),
  /** Which assets have each vulnerability. */
  vulnerable: fc.array(fc.uniqueArray(fc.nat({ max: most - 1 }), { minLength: 1, maxLength: 2 }), {
    minLength: 2,
    maxLength: 3,
  }),
  start: fc.nat({ max: most - 1 }),
});

/** Assets below one at each number of steps, walking every path. */
function naiveBelow(children: readonly number[][], start: number): Map<number, number> {
  const found = new Map<number, number>();
  function walk(at: number, distance: number): void {
    for (const child of children[at] ?? []) {
      found.set(child, Math.min(distance, found.get(child) ?? Infinity));
      walk(child, distance + 1);
    }
  }
  walk(start, 1);
  return found;
}

it('the blast radius of any acyclic graph agrees with a walk along every path', async () => {
  let exposures = 0;
  const property = fc.asyncProperty(graphs, async ({ pairs, vulnerable, start }) => {
    const pairsOf = Array.from({ length: most }, (_, to) =>
      Array.from({ length: to }, (_from, from) => [to, from]),
    ).flat();
    const links = pairsOf.filter((_, n) => pairs[n]) as [number, number][];
    const children = Array.from({ length: most }, (_, n) =>
      links.filter(([from]) => from === n).map(([, to]) => to),
    );
    const parents = Array.from({ length: most }, (_, n) =>
      links.filter(([, to]) => to === n).map(([from]) => from),
    );
    const names = children.map((_, n) => `a${n}`);
    const assets = await makeAssets(
      Object.fromEntries(children.map((below, n) => [`a${n}`, below.map((child) => `a${child}`)])),
    );
    const idOf = (n: number) => assets.get(`a${n}`)?._id ?? '';
    for (const [n, at] of vulnerable.entries())
      await makeRecords(api, ada, {
        table: 'vulnerability',
        names: [`v${n}`],
        assets: at.map(idOf),
        columns: { status: 'open' },
      });
    const { nodes, edges, exposure, exposureTotal } = await read(idOf(start));

    const above = naiveBelow(parents, start);
    expect(new Map(nodes.map(({ name, distance }) => [names.indexOf(name), distance]))).toEqual(above);
    expect(nodes.map(({ distance }) => distance)).toEqual([...above.values()].toSorted((a, b) => a - b));
    const within = (n: number) => n === start || above.has(n);
    expect(edges.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual(
      links
        .filter(([from, to]) => within(from) && within(to))
        .map(([from, to]) => `${idOf(from)} ${idOf(to)}`)
        .toSorted(),
    );

    const below = naiveBelow(children, start);
    const expected = vulnerable.flatMap((at, n) => {
      const distance = Math.min(...at.map((asset) => below.get(asset) ?? Infinity));
      return distance === Infinity ? [] : [[`v${n}`, distance] as const];
    });
    expect(new Map(exposure.map((one) => [one.vulnerability.name, one.distance]))).toEqual(new Map(expected));
    expect(exposureTotal).toBe(expected.length);
    for (const { path, distance, vulnerability } of exposure) {
      const way = path.map(({ name }) => names.indexOf(name));
      expect([way[0], way.length]).toEqual([start, distance + 1]);
      for (const [n, at] of way.entries()) if (n > 0) expect(children[way[n - 1] ?? -1]).toContain(at);
      expect(vulnerable[Number(vulnerability.name.slice(1))]).toContain(way.at(-1));
    }
    exposures += exposure.length;
    await ada.delete('/api/assets/bulk', { ids: [...assets.values()].map(({ _id }) => _id) });
  });
  await fc.assert(property, { seed: 20_261_122, numRuns: 10 });
  expect(exposures).toBeGreaterThan(5);
});
