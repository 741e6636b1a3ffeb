import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from './new-id.ts';
import { relate } from './records/asset-relations.ts';
import { addAssets } from './records/related-assets.ts';
import { makeOrganization } from './testing/organization.ts';
import { openRecorded, type RecordedDatabase } from './testing/open.ts';
import { deleteAssets } from './trash/delete-assets.ts';
import { restoreAssets } from './trash/restore-assets.ts';
import { type OrganizationTransaction, withOrganization } from './with-organization.ts';

/** Their table has so many pages that the planner reads it by an index, regardless of its last count. */
const many = 1000;

let database: RecordedDatabase;
let organizationId: string;
const vulnerabilityId = newId();
const projectId = newId();
beforeEach(async () => {
  database = await openRecorded();
  organizationId = await makeOrganization(database);
  await inside(async (trx) => {
    await sql`insert into vulnerability (organization_id, id, name)
      values (current_organization(), ${vulnerabilityId}, 'Login bypass')`.execute(trx);
    await sql`insert into project (organization_id, id, name, start_date)
      values (current_organization(), ${projectId}, 'Harbour', '2026-01-01')`.execute(trx);
  });
  // They stay, so that the table is never without pages.
  await makeAssets(2);
});
afterEach(() => database.end());

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>) =>
  withOrganization(database, organizationId, work);

async function makeAssets(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await inside((trx) =>
    sql`insert into asset (organization_id, id, project_id, name, asset_type_id)
      select current_organization(), id, ${projectId}, 'Crane', 1 from unnest(${ids}::uuid[]) id`.execute(
      trx,
    ),
  );
  return ids;
}

/** Each of the assets is a parent of the next two. */
const linksOf = (ids: readonly string[]) =>
  ids.flatMap((from, n) => ids.slice(n + 1, n + 3).map((to) => ({ from, to })));

/** Relates the assets to each other and to the vulnerability, with the plans that the connection has. */
async function relateByStatement(trx: OrganizationTransaction, ids: readonly string[]): Promise<void> {
  const links = linksOf(ids);
  await sql`insert into asset_relation (organization_id, asset_id, related_id)
    select current_organization(), "from", "to"
    from unnest(${links.map(({ from }) => from)}::uuid[], ${links.map(({ to }) => to)}::uuid[]) link ("from", "to")`.execute(
    trx,
  );
  await sql`insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
    select current_organization(), ${vulnerabilityId}, id from unnest(${ids}::uuid[]) id`.execute(trx);
}

/** Has the connection keep plans for few rows: PostgreSQL makes the sixth plan of a foreign key for any values and keeps it. */
async function keepPlans(): Promise<void> {
  await withClient(database.clone.adminUrl, (client) =>
    client.query('vacuum (full, analyze) asset, asset_relation, threat_asset, vulnerability_asset'),
  );
  for (let n = 0; n < 8; n += 1) {
    const ids = await makeAssets(2);
    await inside((trx) => relateByStatement(trx, ids));
    await inside((trx) => deleteAssets(trx, { ids, by: null }));
    // The first temporary table of a connection discards its plans.
    await inside((trx) => restoreAssets(trx, ids));
    await inside((trx) => deleteAssets(trx, { ids, by: null }));
  }
}

/** How many rows the statements of the foreign keys read since the last call. */
const readByForeignKeys = (): number =>
  database
    .statements()
    .filter(({ text }) => /^(SELECT 1|DELETE) FROM ONLY/.test(text))
    .reduce((sum, { rows }) => sum + rows, 0);

/** A few rows of each relation; a plan that reads a table for each would read about a million. */
const limit = many * 40;

it('relating many assets uses no plans of foreign keys from when there were few assets', async () => {
  await keepPlans();
  const ids = await makeAssets(many);
  readByForeignKeys();
  await inside((trx) => relate(trx, linksOf(ids)));
  expect(readByForeignKeys()).toBeLessThan(limit);
});

it('relating a record to many assets uses no plans of foreign keys from when there were few assets', async () => {
  await keepPlans();
  const assets = await makeAssets(many);
  readByForeignKeys();
  await inside((trx) => addAssets(trx, { table: 'vulnerability', ids: [vulnerabilityId], assets }));
  expect(readByForeignKeys()).toBeLessThan(limit);
});

it('deleting many assets uses no plans of foreign keys from when there were few relations', async () => {
  await keepPlans();
  const ids = await makeAssets(many);
  await inside((trx) => relateByStatement(trx, ids));
  readByForeignKeys();
  await inside((trx) => deleteAssets(trx, { ids, by: null }));
  expect(readByForeignKeys()).toBeLessThan(limit);
});

it('restoring many assets uses no plans of foreign keys from when there were few assets', async () => {
  const ids = await makeAssets(many);
  await inside((trx) => relateByStatement(trx, ids));
  await inside((trx) => deleteAssets(trx, { ids, by: null }));
  await keepPlans();
  readByForeignKeys();
  await inside((trx) => restoreAssets(trx, ids));
  expect(readByForeignKeys()).toBeLessThan(limit);
});
