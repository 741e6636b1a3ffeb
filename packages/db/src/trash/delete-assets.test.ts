import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Link, makeGraph } from '../testing/asset-graph.ts';
import { makeOrganization } from '../testing/organization.ts';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { deleteAssets } from './delete-assets.ts';
import { restoreAssets } from './restore-assets.ts';

let database: RecordedDatabase;
beforeAll(async () => {
  database = await openRecorded();
});
afterAll(() => database.end());

const count = 400;
const links = Array.from({ length: count - 4 }, (_, n) => [1, 2, 3, 4].map((m): Link => [n, n + m])).flat();

it('deleting and restoring assets reads a few rows for each asset and relation', async () => {
  const organizationId = await makeOrganization(database);
  const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>) =>
    withOrganization(database, organizationId, work);
  const ids = await inside((trx) => makeGraph(trx, count, links));
  database.statements();
  const deleted = await inside((trx) => deleteAssets(trx, { ids, by: null }));
  expect(deleted.map(({ id }) => id)).toEqual(ids.toSorted());
  const restored = await inside((trx) => restoreAssets(trx, ids));
  expect(restored).toHaveLength(count);
  const [most] = database.statements();
  // Comparing each asset with each of them would be 160,000.
  expect(most?.rows).toBeLessThan((count + links.length) * 20);
  const { rows } = await inside((trx) =>
    sql<{ n: number }>`select count(*)::int as n from asset_relation`.execute(trx),
  );
  expect(rows).toEqual([{ n: links.length }]);
});
