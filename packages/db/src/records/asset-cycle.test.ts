import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Link, makeGraph } from '../testing/asset-graph.ts';
import { makeOrganization } from '../testing/organization.ts';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { type AssetCycle, findCycle } from './asset-cycle.ts';
import type { WalkLimits } from './asset-walk.ts';

let database: RecordedDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openRecorded();
});
afterAll(() => database.end());
beforeEach(async () => {
  organizationId = await makeOrganization(database);
});

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>) =>
  withOrganization(database, organizationId, work);

/** Assets of the shortest cycle, by trying every relation until the parent is found; 0 for none. */
function naiveLength(links: readonly Link[], parent: number, children: readonly number[]): number {
  let reached = new Set(children);
  for (let length = 2; ; length += 1) {
    if (reached.has(parent)) return length;
    const next = new Set([...reached, ...links.flatMap(([from, to]) => (reached.has(from) ? [to] : []))]);
    if (next.size === reached.size) return 0;
    reached = next;
  }
}

const most = 9;
const asset = fc.nat({ max: most - 1 });
const graphs = fc
  .record({
    links: fc.uniqueArray(
      fc
        .tuple(asset, asset)
        .filter(([a, b]) => a !== b)
        .map(([a, b]): Link => [Math.min(a, b), Math.max(a, b)]),
      { minLength: 4, maxLength: 20, selector: String },
    ),
    parent: asset,
    children: fc.uniqueArray(asset, { minLength: 1, maxLength: 3 }),
  })
  .filter(({ parent, children }) => !children.includes(parent));

const small: WalkLimits = { steps: 1, assets: 2, relations: 3 };

it('finds the shortest cycle that new relations would create, or beyond the limits of the walk that there is one', async () => {
  let cycles = 0;
  await fc.assert(
    fc.asyncProperty(graphs, async ({ links, parent, children }) => {
      await inside(async (trx) => {
        const ids = await makeGraph(trx, most, links);
        const wanted = { parent: ids[parent] ?? '', children: children.map((child) => ids[child] ?? '') };
        const length = naiveLength(links, parent, children);
        const found = await findCycle(trx, wanted);
        expect(found?.path.length ?? 0).toBe(length);
        const limited = await findCycle(trx, wanted, small);
        expect(limited !== undefined).toBe(length > 0);
        if (!found) return;
        cycles += 1;
        const numbers = found.path.map((id) => ids.indexOf(id));
        expect([numbers[0], numbers.at(-1)]).toEqual([parent, parent]);
        expect(children).toContain(numbers[1]);
        for (const [n, to] of numbers.entries())
          if (n > 1) expect(links).toContainEqual([numbers[n - 1], to]);
        expect(limited?.path.slice(0, 2)).toEqual([wanted.parent, expect.any(String)]);
        expect(wanted.children).toContain(limited?.path[1]);
      });
    }),
    { seed: 20_261_129, numRuns: 60 },
  );
  expect(cycles).toBeGreaterThan(10);
});

describe('relations of 1,500 assets', () => {
  const count = 1500;
  const tree: readonly Link[] = Array.from({ length: count - 1 }, (_, n) => [Math.floor(n / 50), n + 1]);
  const chain: readonly Link[] = Array.from({ length: count - 1 }, (_, n) => [n, n + 1]);

  async function checked(
    links: readonly Link[],
    { parent, child }: { parent: number; child: number },
  ): Promise<{ cycle: AssetCycle | undefined; rows: number; numbers: number[] }> {
    return inside(async (trx) => {
      const ids = await makeGraph(trx, count + 1, links);
      database.statements();
      const cycle = await findCycle(trx, { parent: ids[parent] ?? '', children: [ids[child] ?? ''] });
      const rows = database.statements().reduce((sum, one) => sum + one.rows, 0);
      return { cycle, rows, numbers: cycle?.path.map((id) => ids.indexOf(id)) ?? [] };
    });
  }

  it('below a child are not read when few assets are above the parent', async () => {
    const { cycle, rows } = await checked(tree, { parent: count, child: 0 });
    expect(cycle).toBeUndefined();
    expect(rows).toBeLessThan(100);
  });

  it('above an asset are not all read when few are below the child', async () => {
    const star: readonly Link[] = Array.from({ length: count - 1 }, (_, n) => [n + 1, 0]);
    const { cycle } = await checked(star, { parent: 0, child: count });
    expect(cycle).toBeUndefined();
  });

  it('in one chain form a cycle, of which the first assets are named', async () => {
    const long = await checked(chain, { parent: count - 1, child: 0 });
    expect([long.numbers, long.cycle?.isWhole]).toEqual([[count - 1, 0], false]);
    const short = await checked(chain, { parent: 50, child: 20 });
    expect([short.numbers, short.cycle?.isWhole]).toEqual([[50, 20, 21, 22, 23, 24, 25, 26], false]);
    const none = await checked(chain, { parent: 20, child: 50 });
    expect(none.cycle).toBeUndefined();
  });
});

it('does not leave the organization', async () => {
  const ids = await inside((trx) => makeGraph(trx, 2, [[0, 1]]));
  organizationId = await makeOrganization(database);
  const wanted = { parent: ids[1] ?? '', children: [ids[0] ?? ''] };
  expect(await inside((trx) => findCycle(trx, wanted))).toBeUndefined();
});
