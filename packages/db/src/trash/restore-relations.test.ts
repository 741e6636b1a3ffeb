import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { relate } from '../records/asset-relations.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { deleteAssets } from './delete-assets.ts';
import { restoreAssets } from './restore-assets.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

/** A relation by the positions of its assets: the second is a child of the first. */
type Link = readonly [from: number, to: number];

function leadsTo(links: readonly Link[], [start, end]: Link): boolean {
  const found = new Set([start]);
  for (const at of found) for (const [from, to] of links) if (from === at) found.add(to);
  return found.has(end);
}

const added = (links: readonly Link[], more: readonly Link[]): Link[] => {
  const all = [...links];
  for (const [from, to] of more) if (!leadsTo(all, [to, from])) all.push([from, to]);
  return all;
};

const byIds = ([a, b]: Link, [c, d]: Link) => a - c || b - d;
const unique = (links: readonly Link[]): Link[] => [
  ...new Map(links.map((one) => [String(one), one])).values(),
];

const most = 8;
const asset = fc.nat({ max: most - 1 });
const upwards = fc.tuple(asset, asset).map(([a, b]): Link => [Math.min(a, b), Math.max(a, b)]);
const downwards = upwards.map(([a, b]): Link => [b, a]);
const cases = fc.record({
  first: fc.array(upwards, { minLength: 6, maxLength: 14 }),
  // In the opposite direction, so that the former relations close cycles.
  meanwhile: fc.array(downwards, { minLength: 2, maxLength: 8 }),
  deleted: fc.uniqueArray(asset, { minLength: 1, maxLength: 4 }),
  kept: fc.uniqueArray(asset, { maxLength: 2 }),
});

it('a restoration adds the former relations one after another, by the ids of their ends, without those that close a cycle', async () => {
  const seen = { restored: 0, left: 0 };
  const property = fc.asyncProperty(cases, async ({ first, meanwhile, deleted, kept }) => {
    const organizationId = await makeOrganization(database);
    const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>) =>
      withOrganization(database, organizationId, work);
    const ids = Array.from({ length: most }, () => newId()).toSorted();
    const rows = (all: readonly Link[]) =>
      all.map(([from, to]) => ({ from: ids[from] ?? '', to: ids[to] ?? '' }));
    const idsOf = (all: readonly number[]) => all.map((n) => ids[n] ?? '');
    const now = async () => {
      const found = await inside((trx) =>
        trx.selectFrom('asset_relation').select(['asset_id as from', 'related_id as to']).execute(),
      );
      return found.map(({ from, to }): Link => [ids.indexOf(from), ids.indexOf(to)]).toSorted(byIds);
    };
    await inside(async (trx) => {
      const projectId = newId();
      await sql`insert into project (organization_id, id, name, start_date)
          values (current_organization(), ${projectId}, 'p', '2026-01-01')`.execute(trx);
      await sql`insert into asset (organization_id, id, project_id, name, asset_type_id)
          select current_organization(), id, ${projectId}, 'a', 1 from unnest(${ids}::uuid[]) id`.execute(
        trx,
      );
      await relate(trx, rows(added([], first)));
    });
    const before = await now();
    await inside((trx) => deleteAssets(trx, { ids: idsOf(deleted), by: null }));
    const rest = await now();
    const here = meanwhile.filter((one) => one.every((n) => !deleted.includes(n)));
    const existing = unique(added(rest, here));
    await inside((trx) => relate(trx, rows(existing)));
    // Some stay in the trash, and so do their relations.
    const restored = deleted.filter((n) => !kept.includes(n));
    await inside((trx) => restoreAssets(trx, idsOf(restored)));
    const inTrash = new Set(deleted.filter((n) => kept.includes(n)));
    const wanted = before.filter(
      (one) => one.some((n) => restored.includes(n)) && !one.some((n) => inTrash.has(n)),
    );
    const expected = unique(added(existing, wanted));
    expect(await now()).toEqual(expected.toSorted(byIds));
    seen.restored += expected.length - existing.length;
    seen.left += wanted.length + existing.length - expected.length;
  });
  await fc.assert(property, { seed: 20_261_129, numRuns: 60 });
  // Without relations of both kinds the property would hold trivially.
  expect(Math.min(seen.restored, seen.left)).toBeGreaterThan(3);
}, 60_000);
