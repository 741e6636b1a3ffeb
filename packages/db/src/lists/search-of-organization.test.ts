import { searchIds } from '@riskboard/domain';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SearchNoun, searchRecords } from '../search.ts';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { recordsLike } from './search.ts';

/** Matching rows of each other organization, and of the one that searches. */
const theirs = 1000;
const ours = 3;
/** Nodes of one plan count the same row again. */
const mostRead = 200;

let database: RecordedDatabase;
let admin: Client;
let organizationId: string;
beforeAll(async () => {
  database = await openRecorded();
  admin = new Client({ connectionString: database.clone.adminUrl });
  await admin.connect();
  for (const _ of [1, 2]) await fill(await makeOrganization(database), theirs);
  organizationId = await makeOrganization(database);
  await fill(organizationId, ours);
  await admin.query('vacuum analyze');
});
afterAll(async () => {
  await admin.end();
  await database.end();
});

/** Records of which each search below finds all, and as many that no search finds. */
async function fill(organization: string, matches: number): Promise<void> {
  const from = `'${organization}'::uuid, gen_random_uuid()`;
  const name = `case when n % 2 = 0 then 'Buffer overflow ' else 'Something ' end || md5(n::text)`;
  const series = `from generate_series(1, ${matches * 2}) n`;
  await admin.query('set session_replication_role = replica');
  await admin.query(`
    insert into vulnerability (organization_id, id, name, cve_id, cwe)
      select ${from}, ${name}, case when n % 2 = 0 then 'CVE-2024-1000' || n else '' end,
        case when n % 2 = 0 then array['CWE-89'] else '{}' end ${series};
    insert into threat (organization_id, id, name, threat_id)
      select ${from}, ${name}, case when n % 2 = 0 then 'T1059' else '' end ${series};
    insert into asset (organization_id, id, project_id, name, asset_type_id)
      select ${from}, gen_random_uuid(), ${name}, 1 ${series};
    insert into project (organization_id, id, name, start_date) select ${from}, ${name}, now() ${series}`);
}

async function rowsRead(work: (trx: OrganizationTransaction) => Promise<unknown>): Promise<number> {
  database.statements();
  await withOrganization(database, organizationId, work);
  return database.statements().reduce((sum, statement) => sum + statement.rows, 0);
}

describe('a search reads no matches of other organizations', () => {
  it.each([
    ['vulnerabilities', 'overflow'],
    ['vulnerabilities', 'CVE-2024-1000'],
    ['vulnerabilities', 'CWE-89'],
    ['threats', 'overflow'],
    ['threats', 'T1059'],
    ['assets', 'overflow'],
    ['projects', 'overflow'],
  ] satisfies [SearchNoun, string][])('among %s, for "%s"', async (noun, text) => {
    const rows = await rowsRead(async (trx) => {
      expect((await searchRecords(trx, noun, { text, ids: searchIds(text) })).total).toBe(ours);
    });
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(mostRead);
  });

  it.each(['vulnerability', 'threat'] as const)('in the list of the table %s', async (table) => {
    const rows = await rowsRead(async (trx) => {
      const found = await sql`select from ${sql.table(table)} r
        where r.organization_id = current_organization() and ${recordsLike(table, '%overflow%')}`.execute(
        trx,
      );
      expect(found.rows).toHaveLength(ours);
    });
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(mostRead);
  });
});
