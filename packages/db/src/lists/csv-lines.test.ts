import { vulnerabilityEntity } from '@riskboard/contract';
import { recordRowsVisited, type StatementWork } from '@riskboard/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDatabase, openClone } from '../test/open.ts';
import { makeOrganization } from '../test/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { csvLinesFrom } from './csv-lines.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

/** More than one step of vulnerabilities, each related to an asset of its own. */
const size = 5001;

let database: OpenDatabase;
let statements: () => StatementWork[];
beforeAll(async () => {
  database = await openClone();
  statements = await recordRowsVisited(database.clone, database.pool, { aboveMs: 0 });
});
afterAll(() => database.end());

/** Indexes that a plan reads of a table. */
const indexesOf = (table: string, plan: object): string[] =>
  [...JSON.stringify(plan).matchAll(/"Index Name":"(\w+)","Relation Name":"(\w+)"/gu)].flatMap(
    ([, index = '', relation]) => (relation === table ? [index] : []),
  );

test('the lines of all steps are in the order of the list, and each asset is looked up by its key', async () => {
  const organizationId = await makeOrganization(database);
  const idOf = (kind: string) => `md5('${kind} ' || n)::uuid`;
  const admin = new Client({ connectionString: database.clone.adminUrl });
  await admin.connect();
  await admin.query(`
    set session_replication_role = replica;
    insert into asset (organization_id, id, project_id, name, asset_type_id)
      select '${organizationId}', ${idOf('asset')}, gen_random_uuid(), 'Crane ' || n, 1 from generate_series(1, ${size}) n;
    insert into vulnerability (organization_id, id, name, cve_id, created_at)
      select '${organizationId}', ${idOf('vulnerability')}, 'Flaw ' || n, '', '2026-01-01'::timestamptz + n * interval '1 minute'
      from generate_series(1, ${size}) n;
    insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
      select '${organizationId}', ${idOf('vulnerability')}, ${idOf('asset')} from generate_series(1, ${size}) n`);
  await admin.query('vacuum analyze');
  await admin.end();

  const records = {
    entity: vulnerabilityEntity,
    source: vulnerabilitySource,
    fields: ['name', 'relatedAssets'],
  };
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const step = await withOrganization(database, organizationId, (trx) =>
      csvLinesFrom(trx, records, { query: { sort: '-createdAt' }, cursor }),
    );
    lines.push(...step.rows.join('').split('\n').slice(0, -1));
    cursor = step.next;
  } while (cursor !== undefined);

  expect(lines).toEqual(Array.from({ length: size }, (_, n) => `"Flaw ${size - n}","Crane ${size - n}"`));
  const plans = statements().filter(({ text }) => text.includes('string_agg(line'));
  expect(plans.length).toBeGreaterThan(1);
  expect(new Set(plans.flatMap(({ plan }) => indexesOf('asset', plan)))).toEqual(new Set(['asset_by_key']));
});
