import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { joiningByHash } from '../query-plans.ts';
import { miscounted } from './recompute.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

it('the recount of related assets compares no vulnerability with each relation', async () => {
  const organizationId = await makeOrganization(database);
  const [plan, nestedLoops] = await withOrganization(database, organizationId, async (trx) => {
    const { rows } = await joiningByHash(trx, () =>
      sql<{ 'QUERY PLAN': string }>`explain (costs off) ${miscounted} limit 1`.execute(trx),
    );
    const after = await sql<{ enable_nestloop: string }>`show enable_nestloop`.execute(trx);
    return [rows.map((row) => row['QUERY PLAN']).join('\n'), after.rows[0]?.enable_nestloop];
  });
  expect(plan).not.toContain('Nested Loop');
  expect(nestedLoops).toBe('on');
});
