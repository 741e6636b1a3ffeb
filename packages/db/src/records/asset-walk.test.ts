import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { type Link, makeGraph } from '../testing/asset-graph.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { type Walk, walkAssets, type WalkDirection, type WalkLimits, walkLimits } from './asset-walk.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

let organizationId: string;
beforeEach(async () => {
  organizationId = await makeOrganization(database);
});

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>) =>
  withOrganization(database, organizationId, work);

/** Least number of steps from a start to each other asset, by trying every relation until nothing changes. */
function naiveDistances(
  links: readonly Link[],
  start: number,
  direction: WalkDirection,
): Map<number, number> {
  const distances = new Map([[start, 0]]);
  for (let changed = true; changed;) {
    changed = false;
    for (const [from, to] of links) {
      const [near, far] = direction === 'parents' ? [to, from] : [from, to];
      const next = (distances.get(near) ?? Infinity) + 1;
      if (next >= (distances.get(far) ?? Infinity)) continue;
      distances.set(far, next);
      changed = true;
    }
  }
  distances.delete(start);
  return distances;
}

const most = 12;
/** Relations lead from a lower to a higher position, so they form no cycle. */
const graphs = fc.record({
  links: fc.uniqueArray(
    fc
      .tuple(fc.nat({ max: most - 1 }), fc.nat({ max: most - 1 }))
      .filter(([a, b]) => a !== b)
      .map(([a, b]): Link => [Math.min(a, b), Math.max(a, b)]),
    { minLength: 10, maxLength: 40, selector: String },
  ),
  start: fc.nat({ max: most - 1 }),
  direction: fc.constantFrom('parents', 'children'),
});

it('finds the same assets at the same distances as a naive walk, each by a relation to a nearer one', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(graphs, async ({ links, start, direction }) => {
      await inside(async (trx) => {
        const ids = await makeGraph(trx, most, links);
        const walk = await walkAssets(trx, { id: ids[start] ?? '', direction });
        const expected = naiveDistances(links, start, direction);
        const distances = new Map(walk.assets.map((asset) => [ids.indexOf(asset.id), asset.distance]));
        expect(distances).toEqual(expected);
        expect(walk.assets.map(({ distance }) => distance)).toEqual(
          [...expected.values()].toSorted((a, b) => a - b),
        );
        for (const { id, previous, distance } of walk.assets) {
          const [far, near] = [ids.indexOf(id), ids.indexOf(previous)];
          expect(expected.get(near) ?? 0).toBe(distance - 1);
          expect(links).toContainEqual(direction === 'parents' ? [far, near] : [near, far]);
        }
        expect(walk.truncated).toBe(false);
        found += expected.size;
      });
    }),
    { seed: 20_261_122, numRuns: 60 },
  );
  expect(found).toBeGreaterThan(60);
});

describe('a walk with a limit', () => {
  const chain = (count: number): Link[] => Array.from({ length: count - 1 }, (_, n) => [n, n + 1]);

  const walkDown = (count: number, links: readonly Link[], limits: Partial<WalkLimits>): Promise<Walk> =>
    inside(async (trx) => {
      const [id = ''] = await makeGraph(trx, count, links);
      return walkAssets(trx, { id, direction: 'children' }, { ...walkLimits, ...limits });
    });

  it.each([
    { steps: 3, found: 3, truncated: true },
    { steps: 4, found: 4, truncated: false },
  ])('of $steps steps finds $found of 4 assets in a chain', async ({ steps, found, truncated }) => {
    const walk = await walkDown(5, chain(5), { steps });
    expect([walk.assets.length, walk.truncated]).toEqual([found, truncated]);
  });

  it.each([
    { assets: 3, truncated: true },
    { assets: 4, truncated: false },
  ])('of $assets assets says whether there are more than these', async ({ assets, truncated }) => {
    const star: Link[] = [
      [0, 1],
      [0, 2],
      [0, 3],
      [3, 4],
      [2, 4],
      [1, 4],
    ];
    const walk = await walkDown(5, star, { assets });
    expect([walk.assets.map(({ distance }) => distance), walk.truncated]).toEqual([
      [1, 1, 1, 2].slice(0, assets),
      truncated,
    ]);
  });

  it('of relations stops reading, and keeps what is nearest', async () => {
    const walk = await walkDown(6, chain(6), { relations: 2 });
    expect([walk.assets.map(({ distance }) => distance), walk.truncated]).toEqual([[1, 2, 3], true]);
    expect((await walkDown(6, chain(6), { relations: 5 })).truncated).toBe(false);
  });
});

it('visits each asset once where every asset of a layer is related to every asset of the next', async () => {
  const [layers, width] = [30, 4];
  const links = Array.from({ length: layers - 1 }, (_, layer) =>
    Array.from({ length: width * width }, (_pair, n): Link => [
      layer * width + Math.floor(n / width),
      (layer + 1) * width + (n % width),
    ]),
  ).flat();
  const walk = await inside(async (trx) => {
    const [id = ''] = await makeGraph(trx, layers * width, links);
    return walkAssets(trx, { id, direction: 'children' });
  });
  // A walk along each path would read 4^29 relations.
  expect(walk.relations).toBe(width + (layers - 2) * width * width);
  expect(walk.assets).toHaveLength((layers - 1) * width);
});

it('does not leave the organization', async () => {
  const ids = await inside((trx) =>
    makeGraph(trx, 3, [
      [0, 1],
      [1, 2],
    ]),
  );
  organizationId = await makeOrganization(database);
  const walk = await inside((trx) => walkAssets(trx, { id: ids[0] ?? '', direction: 'children' }));
  expect(walk).toEqual({ assets: [], relations: 0, truncated: false });
});
