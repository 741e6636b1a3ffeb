import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from '../test/open.ts';
import { makeOrganization } from '../test/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { orderBy, partsOf } from './cursor.ts';
import { whereOf } from './filter.ts';
import { sortOf } from './page.ts';
import { threatSource } from './threats.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

it.each([
  { source: vulnerabilitySource, sort: '-severity', index: 'vulnerability_severity' },
  { source: vulnerabilitySource, sort: '-cvssScore', index: 'vulnerability_cvss_descending' },
  { source: vulnerabilitySource, sort: '-cwssScore', index: 'vulnerability_cwss_descending' },
  { source: vulnerabilitySource, sort: '-createdAt', index: 'vulnerability_newest' },
  { source: threatSource, sort: '-riskLevel', index: 'threat_risk' },
  { source: threatSource, sort: '-createdAt', index: 'threat_newest' },
])(
  'the sort $sort of a list reads its rows from the index $index in order',
  async ({ source, sort, index }) => {
    const by = sortOf(source, sort);
    const plans = await withOrganization(database, organizationId, async (trx) => {
      // Without rows the planner would prefer to read the table and sort.
      await sql`set local enable_seqscan = off; set local enable_bitmapscan = off`.execute(trx);
      const all = whereOf(source, {});
      return Promise.all(
        [all, ...partsOf(by).map((part) => sql<boolean>`${all} and ${part}`)].map(async (where) => {
          const { rows } = await sql<{ 'QUERY PLAN': string }>`
          explain (costs off) select r.id from ${sql.raw(source.from)} where ${where}
          order by ${orderBy(by)} limit 10`.execute(trx);
          return rows.map((row) => row['QUERY PLAN']).join('\n');
        }),
      );
    });
    for (const plan of plans) {
      expect(plan).toContain(index);
      expect(plan).not.toContain('Sort');
    }
  },
);
