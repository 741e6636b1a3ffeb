import { mostCounted } from '@riskboard/contract';
import type { StatementWork } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { narrow } from './narrow.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

const rowsWithoutScore = 50;

let database: RecordedDatabase;
let organizationId: string;

/** More rows than are counted have a score, one of them with a weakness. */
beforeAll(async () => {
  database = await openRecorded();
  organizationId = await makeOrganization(database);
  await withOrganization(database, organizationId, (trx) =>
    sql`
      insert into vulnerability (organization_id, id, name, cvss_score, cwe)
      select current_organization(), gen_random_uuid(), 'row ' || n,
        case when n > ${sql.lit(rowsWithoutScore)} then 5 end, case when n = 1 then array['CWE-79'] else '{}' end
      from generate_series(1, ${sql.lit(rowsWithoutScore + mostCounted + 1)}) n`.execute(trx),
  );
  database.statements();
});
afterAll(() => database.end());

/** Narrows the list. @returns the statements that count rows, those inside functions too */
async function countsOf(query: Record<string, unknown>): Promise<StatementWork[]> {
  await withOrganization(database, organizationId, (trx) => narrow(trx, vulnerabilitySource, { query }));
  return database
    .statements()
    .filter(({ text }) =>
      /^\s*select\s*\(?\s*(?:select )?count\(\*\) from \(\s*select from vulnerability/u.test(text),
    );
}

it.each([
  ['a range of a number', { cvssScoreMin: '1' }],
  ['a range that no row is in', { cvssScoreMin: '9' }],
  ['a range or no value', { cvssScoreMin: '9', cvssScore: ['N/A'] }],
  ['a weakness', { cwe: ['CWE-79'] }],
])('the rows of %s are counted once', async (_, query) => {
  expect(await countsOf(query)).toHaveLength(1);
});

it('rows without a value are not counted when the others are more than are counted', async () => {
  await withOrganization(database, organizationId, (trx) =>
    narrow(trx, vulnerabilitySource, { query: { cvssScoreMin: '1', cvssScore: ['N/A'] } }),
  );
  const read = database.statements().filter(({ text }) => text.includes('empties'));
  expect(read).toHaveLength(1);
  expect(read[0]?.rows).toBeLessThan(rowsWithoutScore);
});
