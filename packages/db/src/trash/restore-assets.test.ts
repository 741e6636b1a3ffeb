import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { deleteAssets } from './delete-assets.ts';
import { restoreAssets } from './restore-assets.ts';

const count = 40;

let database: RecordedDatabase;
beforeAll(async () => {
  database = await openRecorded();
});
afterAll(() => database.end());

/** Assets, each with two vulnerabilities and a threat, which they share. @returns their ids */
async function makeAssets(trx: OrganizationTransaction): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  const project = newId();
  await sql`insert into project (organization_id, id, name, start_date)
    values (current_organization(), ${project}, 'Harbour', '2026-01-01')`.execute(trx);
  await sql`insert into asset (organization_id, id, name, project_id, asset_type_id, criticality)
    select current_organization(), id, 'Crane ' || n, ${project}, 1, 1 + n % 5
    from unnest(${ids}::uuid[]) with ordinality asset (id, n)`.execute(trx);
  for (const table of ['vulnerability', 'threat'])
    await sql`insert into ${sql.table(table)} (organization_id, id, name, description)
      select current_organization(), id, 'Record ' || n, ''
      from unnest(${ids}::uuid[]) with ordinality record (id, n)`.execute(trx);
  await sql`insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
    select current_organization(), id, id from unnest(${ids}::uuid[]) id
    union select current_organization(), ${ids[0]}::uuid, id from unnest(${ids}::uuid[]) id`.execute(trx);
  await sql`insert into threat_asset (organization_id, threat_id, asset_id)
    select current_organization(), ${ids[0]}::uuid, id from unnest(${ids}::uuid[]) id`.execute(trx);
  return ids;
}

/** What a restoration restores, apart from versions and times. */
async function readState(trx: OrganizationTransaction): Promise<unknown[]> {
  const { rows } = await sql`
    select id::text, risk_score::text, health, threat_count, vulnerability_count from asset
    union all
    select id::text, edited_fields::text, status, asset_count, critical_asset_count from vulnerability
    union all
    select threat_id::text || asset_id, '', '', 0, 0 from threat_asset
    union all
    select vulnerability_id::text || asset_id, '', '', 0, 0 from vulnerability_asset
    union all
    select measure, bucket, '', sum(count)::int, sum(sum)::int from overview_entry group by measure, bucket
    order by 1, 2`.execute(trx);
  return rows;
}

it('restores assets with their counts, and writes each of them and each related record once', async () => {
  const organizationId = await makeOrganization(database);
  const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>) =>
    withOrganization(database, organizationId, work);
  const ids = await inside(makeAssets);
  const before = await inside(readState);
  await inside((trx) => deleteAssets(trx, { ids, by: null }));
  const [deleted, kept] = [ids.slice(0, -1), ids.at(-1) ?? ''];
  await inside((trx) => restoreAssets(trx, [kept]));
  database.statements();
  await inside((trx) => restoreAssets(trx, deleted));
  const written = database.statements().map(({ text }) => /^\s*update "?(\w+)"?/.exec(text)?.[1]);
  expect(written.filter((table) => table === 'asset')).toEqual([]);
  expect(written.filter((table) => table === 'vulnerability')).toHaveLength(1);
  expect(await inside(readState)).toEqual(before);
});

it('restores no relation to a record that was deleted meanwhile, and does not count it', async () => {
  const organizationId = await makeOrganization(database);
  const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>) =>
    withOrganization(database, organizationId, work);
  const ids = await inside(makeAssets);
  const missing = ids[1] ?? '';
  await inside((trx) => deleteAssets(trx, { ids, by: null }));
  await inside((trx) => sql`delete from vulnerability where id = ${missing}`.execute(trx));
  await inside((trx) => restoreAssets(trx, ids));
  const { rows } = await inside((trx) =>
    sql`select vulnerability_count as of_asset, (select count(*)::int from vulnerability_asset r where r.asset_id = a.id) as related
      from asset a where id = ${missing}`.execute(trx),
  );
  expect(rows).toEqual([{ of_asset: 1, related: 1 }]);
});
