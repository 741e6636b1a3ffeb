import { overviewCounts } from '@riskboard/domain';
import { countOverview } from '@riskboard/testing';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { lockAssets } from '../locks/asset-locks.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { deleteAssets } from '../trash/delete-assets.ts';
import { deleteRecords } from '../testing/delete-records.ts';
import { restoreAssets } from '../trash/restore-assets.ts';
import { restoreRecords } from '../trash/restore-records.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { moveEntries } from './entries.ts';
import { recomputeOverview } from './recompute.ts';
import { readEntries, readTotals } from './totals.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

/** Rows that one operation changes, on average. */
const meanRows = 50;
const between = (below: number) => Math.floor(Math.random() * below);
/** Few rows and many are counted by different statements (migration 0035). */
const rowsEach = () => (Math.random() < 0.5 ? 1 + between(16) : 92);

type Trx = OrganizationTransaction;
const inside = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);
const run = (trx: Trx, statement: RawBuilder<unknown>) => statement.execute(trx);

const own = sql`organization_id = current_organization()`;
const day = sql`(date '2026-11-01' - (random() * 200)::integer)`;
const severity = sql`case when random() < 0.8 then round((random() * 10)::numeric, 1) end`;
const status = sql`(array['open', 'open', 'fixed', 'mitigated', 'accepted'])[1 + floor(random() * 5)::integer]`;
const category = sql`nullif(floor(random() * 5)::integer, 0)`;
const level = sql`nullif(floor(random() * 6)::integer, 0)`;
const riskLevel = sql`case when random() < 0.8 then round((random() * 100)::numeric, 1) end`;

/** Rows of a table in random order; those that another writer has locked are left out. */
const some = (table: string, count = rowsEach()) => sql`(
  select id from ${sql.table(table)} where ${own} order by random() limit ${count} for no key update skip locked)`;

async function ids(trx: Trx, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${query}`.execute(trx);
  return rows.map(({ id }) => id);
}

const fromTrash = (trx: Trx, noun: string) =>
  ids(
    trx,
    sql`select id from deleted_record where ${own} and noun = ${noun} order by random() limit ${rowsEach()}`,
  );

const insertVulnerabilities = (trx: Trx) =>
  run(
    trx,
    sql`insert into vulnerability (organization_id, id, name, severity, status, category_id, discovery_date, fix_date, created_at)
      select current_organization(), gen_random_uuid(), 'Weak cipher', ${severity}, ${status}, ${category},
        case when random() < 0.5 then ${day} end, case when random() < 0.3 then ${day} end, now() - random() * interval '90 days'
      from generate_series(1, ${rowsEach()}::integer)`,
  );
const insertThreats = (trx: Trx) =>
  run(
    trx,
    sql`insert into threat (organization_id, id, name, risk_level, is_active)
      select current_organization(), gen_random_uuid(), 'Flood', ${riskLevel}, random() < 0.7
      from generate_series(1, ${rowsEach()}::integer)`,
  );
const insertAssets = (trx: Trx) =>
  run(
    trx,
    sql`insert into asset (organization_id, id, project_id, name, asset_type_id, criticality, confidentiality_level, replacement_cost)
      select current_organization(), gen_random_uuid(), current_organization(), 'Crane', 1, ${level}, ${level},
        round((random() * 1000)::numeric, 2) from generate_series(1, 5)`,
  );
/** Each is its own content, as the counts do not depend on it. */
const insertReports = (trx: Trx) =>
  run(
    trx,
    sql`
      with report as materialized (
        select gen_random_uuid() as id, floor(random() * 1e10)::bigint as size from generate_series(1, ${rowsEach()}::integer)
      ), content as (
        insert into file_content (organization_id, id, complete) select current_organization(), id, true from report
      )
      insert into report_file (organization_id, id, name, content_id, media, size, sha256, parse_job_id)
      select current_organization(), id, id::text, id, 'json', size, '', id from report`,
  );

/** As `lockRelated` does, the records are locked in the order of their ids before triggers change them. */
const relate = (table: 'threat' | 'vulnerability') => async (trx: Trx) => {
  await lockAssets(trx);
  await lockAssertions(trx);
  const chosen = await ids(
    trx,
    sql`select id from ${sql.table(table)} where ${own} order by random() limit ${1 + between(6)}`,
  );
  const records = await ids(
    trx,
    sql`select id from ${sql.table(table)} where ${own} and id = any (${chosen}::uuid[]) order by id for no key update`,
  );
  const columns = sql`(organization_id, ${sql.ref(`${table}_id`)}, asset_id)`;
  await run(
    trx,
    sql`insert into ${sql.table(`${table}_asset`)} ${columns}
      select current_organization(), record.id, asset.id
      from unnest(${records}::uuid[]) record (id),
        (select id from asset where ${own} order by random() limit ${1 + between(6)}) asset
      on conflict do nothing`,
  );
};

/** What people, imports and jobs do, each with `rowsEach()` rows. */
const operations: ((trx: Trx) => Promise<unknown>)[] = [
  insertVulnerabilities,
  insertThreats,
  insertAssets,
  insertReports,
  // A parse, and the replacement by other bytes, which have not been read.
  (trx) =>
    run(
      trx,
      sql`update report_file set stix_version = (array['1.2', '2.0', '2.1', null])[1 + floor(random() * 4)::integer]
        where ${own} and id in ${some('report_file')}`,
    ),
  (trx) =>
    run(
      trx,
      sql`update report_file set size = floor(random() * 1e6), stix_version = null where ${own} and id in ${some('report_file')}`,
    ),
  (trx) => run(trx, sql`delete from report_file where ${own} and id in ${some('report_file')}`),
  (trx) =>
    run(
      trx,
      sql`update vulnerability set status = ${status} where ${own} and id in ${some('vulnerability')}`,
    ),
  (trx) =>
    run(
      trx,
      sql`update vulnerability set severity = ${severity} where ${own} and id in ${some('vulnerability')}`,
    ),
  (trx) =>
    run(
      trx,
      sql`update vulnerability set status = ${status}, severity = ${severity}, category_id = ${category}, fix_date = ${day}
        where ${own} and id in ${some('vulnerability')}`,
    ),
  (trx) =>
    run(
      trx,
      sql`update vulnerability set category_id = ${category}, discovery_date = ${day}
        where ${own} and id in ${some('vulnerability')}`,
    ),
  (trx) =>
    run(
      trx,
      sql`update vulnerability set cvss_score = ${severity} where ${own} and id in ${some('vulnerability')}`,
    ),
  // An extraction: new records, and new values of known ones.
  async (trx) => {
    await lockAssertions(trx);
    await run(
      trx,
      sql`insert into vulnerability (organization_id, id, key, name, severity, discovery_date)
        select current_organization(), gen_random_uuid(), key, 'Extracted', ${severity}, ${day}
        from (select distinct 'cve:' || floor(random() * 200) as key from generate_series(1, ${rowsEach()}::integer)) keys
        on conflict (organization_id, key) do update set severity = excluded.severity, discovery_date = excluded.discovery_date`,
    );
  },
  (trx) =>
    run(
      trx,
      sql`update threat set risk_level = ${riskLevel}, is_active = random() < 0.7 where ${own} and id in ${some('threat')}`,
    ),
  async (trx) => {
    await lockAssets(trx);
    await lockAssertions(trx);
    await run(
      trx,
      sql`update asset set criticality = ${level}, confidentiality_level = ${level}, integrity_level = least(4, ${level}), recovery_cost = round((random() * 99)::numeric, 2)
        where ${own} and id in ${some('asset')}`,
    );
  },
  relate('vulnerability'),
  relate('vulnerability'),
  relate('threat'),
  async (trx) => {
    await lockAssets(trx);
    await lockAssertions(trx);
    await run(
      trx,
      sql`delete from vulnerability_asset where ${own} and (vulnerability_id, asset_id) in (
        select vulnerability_id, asset_id from vulnerability_asset where ${own} order by random() limit ${rowsEach()})`,
    );
  },
  async (trx) => {
    const chosen = await ids(
      trx,
      sql`select id from vulnerability where ${own} order by random() limit ${rowsEach()}`,
    );
    await deleteRecords(trx, {
      table: 'vulnerability',
      where: sql`r.id = any (${chosen}::uuid[])`,
      by: null,
    });
  },
  async (trx) => restoreRecords(trx, 'vulnerability', await fromTrash(trx, 'vulnerability')),
  async (trx) => {
    const chosen = await ids(
      trx,
      sql`select id from threat where ${own} order by random() limit ${rowsEach()}`,
    );
    await deleteRecords(trx, { table: 'threat', where: sql`r.id = any (${chosen}::uuid[])`, by: null });
  },
  async (trx) => restoreRecords(trx, 'threat', await fromTrash(trx, 'threat')),
  async (trx) => {
    const chosen = await ids(trx, sql`select id from asset where ${own} order by random() limit 5`);
    await deleteAssets(trx, { ids: chosen, by: null });
  },
  async (trx) => restoreAssets(trx, await fromTrash(trx, 'asset')),
];

const recount = (trx: Trx) =>
  countOverview(async <T>(text: string) => (await sql.raw<T>(text).execute(trx)).rows);

/** The totals as they are read, and what a recount finds. It takes several statements: no other transaction may write. */
const compared = () =>
  inside(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select v.id from vulnerability v
      where asset_count <> (select count(*) from vulnerability_asset r where r.vulnerability_id = v.id)
        or critical_asset_count <> (
          select count(*) from vulnerability_asset r join asset a on a.id = r.asset_id
          where r.vulnerability_id = v.id and a.criticality >= 4)`.execute(trx);
    return { totals: await readTotals(trx), counted: await recount(trx), miscounted: rows };
  });

beforeEach(async () => {
  organizationId = await makeOrganization(database);
  await inside(async (trx) => {
    await run(
      trx,
      sql`insert into project (organization_id, id, name, start_date)
        values (current_organization(), current_organization(), 'Harbour', '2026-01-01')`,
    );
    for (let n = 0; n < 4; n += 1)
      for (const insert of [insertVulnerabilities, insertThreats, insertAssets, insertReports])
        await insert(trx);
  });
});

it('the numbers equal a recount after each of many kinds of changes in any order', async () => {
  for (let n = 0; n < 2 * operations.length; n += 1) {
    const index = n < operations.length ? n : between(operations.length);
    await inside(async (trx) => operations[index]?.(trx));
    const { totals, counted, miscounted } = await compared();
    expect({ totals, miscounted }).toEqual({ totals: counted, miscounted: [] });
    if (n % 7 === 0) expect((await inside(recomputeOverview)).repaired).toEqual([]);
  }
});

it('the numbers equal a recount after 10,000 changes by four concurrent writers, while entries are moved and compared', async () => {
  const transactions = 10_000 / 4 / meanRows;
  const active = { writers: 4 };
  const writer = async () => {
    for (let n = 0; n < transactions; n += 1)
      await inside(async (trx) => operations[between(operations.length)]?.(trx));
    active.writers -= 1;
  };
  const repaired: unknown[] = [];
  const worker = async () => {
    while (active.writers > 0) {
      await inside(moveEntries);
      repaired.push(...(await inside(recomputeOverview)).repaired);
    }
  };
  await Promise.all([writer(), writer(), writer(), writer(), worker()]);
  expect(repaired).toEqual([]);
  const { totals, counted, miscounted } = await compared();
  expect({ totals, miscounted }).toEqual({ totals: counted, miscounted: [] });
}, 60_000);

it('the entries between any two days add up to the difference of the totals at their ends, which count the same in the form of a snapshot', async () => {
  const moveDays = (days: number) =>
    inside((trx) =>
      run(
        trx,
        sql`with moved as (delete from overview_entry where ${own} returning *)
          insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
          select organization_id, day - (id % ${days}::integer)::integer, measure, bucket, cause, count, sum from moved`,
      ),
    );
  for (const operation of operations) await inside(operation);
  await moveDays(9);
  await inside(moveEntries);
  for (const operation of operations) await inside(operation);
  await moveDays(5);
  await inside(async (trx) => {
    const { rows } = await sql<{ day: string }>`
      select (now() at time zone 'UTC')::date - n as day from generate_series(0, 9) n order by 1`.execute(
      trx,
    );
    const days = rows.map((row) => row.day);
    const flat = async (endOf: string) => {
      const flattened = new Map<string, number>();
      for (const [measure, buckets] of await readTotals(trx, { endOf }))
        for (const [bucket, { count, sum }] of buckets)
          flattened.set(`${measure} ${bucket}`, Math.round(count * 1e6 + sum * 1e2));
      return flattened;
    };
    for (const endOf of days) {
      const counted = overviewCounts(await readTotals(trx, { endOf }), endOf);
      expect(overviewCounts(await readTotals(trx, { endOf, form: 'snapshot' }), endOf)).toEqual(counted);
      if (endOf === days.at(-1)) expect(counted.newVulnerabilities).toBeLessThan(counted.openVulnerabilities);
    }
    for (const [n, after] of days.entries()) {
      for (const until of days.slice(n)) {
        const [before, then] = [await flat(after), await flat(until)];
        const sums = new Map(before);
        for (const { measure, bucket, count, sum } of await readEntries(trx, { after, until })) {
          const key = `${measure} ${bucket}`;
          sums.set(key, Math.round((sums.get(key) ?? 0) + count * 1e6 + sum * 1e2));
        }
        expect(new Map([...sums].filter(([, value]) => value !== 0))).toEqual(then);
      }
    }
    expect(await readTotals(trx, { endOf: days.at(-1) ?? '' })).toEqual(await readTotals(trx));
  });
});
