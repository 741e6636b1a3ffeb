import { countOverview } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { deleteAssets } from '../trash/delete-assets.ts';
import { deleteRecords } from '../testing/delete-records.ts';
import { restoreAssets } from '../trash/restore-assets.ts';
import { restoreRecords } from '../trash/restore-records.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { addAssets, removeAssets } from '../records/related-assets.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { countOf, readEntries, readTotals } from './totals.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());
beforeEach(async () => {
  organizationId = await makeOrganization(database);
});

const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);

const recount = (trx: OrganizationTransaction) =>
  countOverview(async <T>(text: string) => (await sql.raw<T>(text).execute(trx)).rows);

async function addVulnerability(
  trx: OrganizationTransaction,
  values: { severity?: number; status?: 'open' | 'fixed'; category_id?: number } = {},
): Promise<string> {
  const id = newId();
  await trx
    .insertInto('vulnerability')
    .values({ organization_id: organizationId, id, name: 'Weak cipher', ...values })
    .execute();
  return id;
}

async function addAsset(trx: OrganizationTransaction, criticality: number | null = null): Promise<string> {
  const [project, id] = [newId(), newId()];
  const common = { organization_id: organizationId, name: 'Harbour' };
  await trx
    .insertInto('project')
    .values({ ...common, id: project, start_date: '2026-01-01' })
    .execute();
  await trx
    .insertInto('asset')
    .values({ ...common, id, project_id: project, asset_type_id: 1, criticality, replacement_cost: 100.5 })
    .execute();
  return id;
}

const relate = async (trx: OrganizationTransaction, id: string, assets: string[]) => {
  await lockAssets(trx);
  await lockAssertions(trx);
  await addAssets(trx, { table: 'vulnerability', ids: [id], assets });
};

/** Causes of the changes of a measure so far, with their counts. */
const causesOf = (trx: OrganizationTransaction, measure: string) =>
  sql<{ bucket: string; cause: string; count: number }>`
    select bucket, cause, count from overview_entry where measure = ${measure} order by id`
    .execute(trx)
    .then(({ rows }) => rows.map(({ bucket, cause, count }) => `${bucket} ${cause} ${count}`.trim()));

const expectExact = () => inside(async (trx) => expect(await readTotals(trx)).toEqual(await recount(trx)));

describe('the totals of the overview', () => {
  it('are empty for an organization without records', async () => {
    const totals = await inside((trx) => readTotals(trx));
    expect([totals.size, countOf(totals, 'open'), countOf(totals, 'open', '2026-01-01')]).toEqual([0, 0, 0]);
  });

  it('follow a vulnerability from its creation to its restoration, with the cause of each change', async () => {
    const id = await inside((trx) => addVulnerability(trx, { severity: 9.1, category_id: 3 }));
    await expectExact();
    for (const values of [
      { severity: 5.5 },
      { status: 'fixed', fix_date: '2026-02-03' },
      { discovery_date: '2025-12-31' },
      { status: 'open' },
      { severity: null },
      { severity: 7.5 },
    ] as const) {
      await inside((trx) => trx.updateTable('vulnerability').set(values).where('id', '=', id).execute());
      await expectExact();
    }
    await inside((trx) => deleteRecords(trx, { table: 'vulnerability', where: sql`r.id = ${id}`, by: null }));
    await expectExact();
    await inside((trx) => restoreRecords(trx, 'vulnerability', [id]));
    await expectExact();
    const [open, critical, bands] = await inside(async (trx) => [
      await causesOf(trx, 'open'),
      await causesOf(trx, 'critical'),
      await causesOf(trx, 'openSeverity'),
    ]);
    const day = open[0]?.slice(0, 10);
    expect(open).toEqual(
      ['found 1', 'fixed -1', 'reopened 1', 'deleted -1', 'restored 1'].map((one) => `${day} ${one}`),
    );
    expect(critical).toEqual(['found 1', 'severity -1']);
    expect(bands.filter((one) => one.startsWith('medium'))).toEqual([
      'medium severity 1',
      'medium fixed -1',
      'medium reopened 1',
      'medium severity -1',
    ]);
  });

  it('count severe vulnerabilities on assets as relations, levels and assets change', async () => {
    const [id, plain, vital] = await inside(async (trx) => [
      await addVulnerability(trx, { severity: 8 }),
      await addAsset(trx),
      await addAsset(trx, 5),
    ]);
    const steps: ((trx: OrganizationTransaction) => Promise<unknown>)[] = [
      (trx) => relate(trx, id, [plain, vital]),
      async (trx) => {
        await lockAssets(trx);
        await removeAssets(trx, { table: 'vulnerability', ids: [id], assets: [plain] });
      },
      (trx) => trx.updateTable('asset').set({ criticality: 3 }).where('id', '=', vital).execute(),
      (trx) => trx.updateTable('asset').set({ criticality: 4 }).where('id', '=', vital).execute(),
      (trx) => deleteAssets(trx, { ids: [vital], by: null }),
      (trx) => restoreAssets(trx, [vital]),
      // Without the functions of the product: the foreign key deletes the relations.
      (trx) => trx.deleteFrom('asset').where('id', '=', vital).execute(),
    ];
    for (const step of steps) {
      await inside(step);
      await expectExact();
    }
    const [onAssets, onMissionCritical] = ['on-assets', 'on-mission-critical-assets'].map((bucket) =>
      ['related 1', 'unrelated -1', 'restored 1', 'unrelated -1'].map((one) => `${bucket} ${one}`),
    );
    const causes = await inside((trx) => causesOf(trx, 'openSevere'));
    expect(causes.filter((one) => !one.includes('levels')).toSorted()).toEqual(
      [...(onAssets ?? []), ...(onMissionCritical ?? [])].toSorted(),
    );
    expect(causes.filter((one) => one.includes('levels'))).toEqual([
      'on-mission-critical-assets levels -1',
      'on-mission-critical-assets levels 1',
    ]);
  });

  it('count threats and assets at risk with their costs, and note when they changed', async () => {
    const [asset, threats] = await inside(async (trx) => {
      const ids = Array.from({ length: 6 }, () => newId());
      await trx
        .insertInto('threat')
        .values(ids.map((id) => ({ organization_id: organizationId, id, name: 'Flood', risk_level: 61 })))
        .execute();
      return [await addAsset(trx), ids] as const;
    });
    await expectExact();
    const changedAt = () =>
      inside((trx) => trx.selectFrom('asset').select('risk_changed_at').executeTakeFirstOrThrow());
    expect((await changedAt()).risk_changed_at).toBeNull();
    await inside(async (trx) => {
      await lockAssets(trx);
      await lockAssertions(trx);
      await addAssets(trx, { table: 'threat', ids: threats, assets: [asset] });
    });
    await expectExact();
    expect((await changedAt()).risk_changed_at).not.toBeNull();
    await inside((trx) => trx.updateTable('asset').set({ recovery_cost: 20.25 }).execute());
    await expectExact();
    const [changed] = threats;
    await inside((trx) =>
      trx
        .updateTable('threat')
        .set({ risk_level: 60, is_active: false })
        .where('id', '=', changed ?? '')
        .execute(),
    );
    await expectExact();
    await inside((trx) => deleteRecords(trx, { table: 'threat', where: sql`r.id = ${changed}`, by: null }));
    await expectExact();
    expect(await inside((trx) => causesOf(trx, 'assetsAtRisk'))).toEqual([
      'related 1',
      'levels 0',
      'unrelated -1',
    ]);
  });

  it('follow an insert that updates what exists', async () => {
    const upsert = (severity: number) =>
      inside((trx) =>
        sql`
          insert into vulnerability (organization_id, id, key, name, severity)
          select ${organizationId}, gen_random_uuid(), key, key, ${severity} from unnest(array['a', 'b', ${String(severity)}]) key
          on conflict (organization_id, key) do update set severity = excluded.severity`.execute(trx),
      );
    for (const severity of [9.5, 4.2, 4.2]) {
      await upsert(severity);
      await expectExact();
    }
    expect(await inside((trx) => causesOf(trx, 'critical'))).toEqual(['found 3', 'severity -2']);
  });

  it.each([
    ['alike', 1],
    ['of many kinds', 601],
  ])('follow statements of many rows that are %s', async (_name, kinds) => {
    const statements = [
      sql`
        insert into vulnerability (organization_id, id, name, severity, category_id, discovery_date, created_at)
        select current_organization(), gen_random_uuid(), 'x', n % ${kinds}::integer % 101 / 10.0, nullif(n % ${kinds}::integer % 7, 0),
          date '2024-01-01' + n % ${kinds}::integer, now() - n % ${kinds}::integer * interval '1 day'
        from generate_series(0, 600) n`,
      sql`update vulnerability set severity = 10 - severity, status = 'fixed' where id > '80000000-0000-0000-0000-000000000000'`,
      sql`update vulnerability set status = case status when 'fixed' then 'open' else 'accepted' end, discovery_date = null`,
      sql`delete from vulnerability where id > '80000000-0000-0000-0000-000000000000'`,
      sql`delete from vulnerability`,
    ];
    for (const statement of statements) {
      await inside((trx) => statement.execute(trx));
      await expectExact();
    }
    expect(await inside((trx) => readTotals(trx))).toEqual(new Map());
  });

  it('append nothing for an update that changes no number', async () => {
    const id = await inside((trx) => addVulnerability(trx, { severity: 8 }));
    const entries = () =>
      inside((trx) =>
        trx
          .selectFrom('overview_entry')
          .select((eb) => eb.fn.countAll().as('n'))
          .execute(),
      );
    const before = await entries();
    await inside((trx) =>
      trx.updateTable('vulnerability').set({ name: 'Renamed', severity: 8 }).where('id', '=', id).execute(),
    );
    expect(await entries()).toEqual(before);
  });

  it('of an earlier day are those of now less the entries after it', async () => {
    await inside((trx) => addVulnerability(trx, { severity: 8 }));
    const { today, yesterday, entries, totals, before } = await inside(async (trx) => {
      const { rows } = await sql<{ today: string; yesterday: string }>`
        select d as today, d - 1 as yesterday from (select (now() at time zone 'UTC')::date as d) now`.execute(
        trx,
      );
      const days = rows[0] ?? { today: '', yesterday: '' };
      return {
        ...days,
        entries: await readEntries(trx, { after: days.yesterday, until: days.today }),
        totals: await readTotals(trx, { endOf: days.today }),
        before: await readTotals(trx, { endOf: days.yesterday }),
      };
    });
    expect(before.size).toBe(0);
    expect(await inside((trx) => recount(trx))).toEqual(totals);
    expect(entries.map(({ measure, bucket, count }) => [measure, bucket, count])).toEqual(
      [...totals]
        .flatMap(([measure, buckets]) => [...buckets].map(([bucket, { count }]) => [measure, bucket, count]))
        .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    );
    expect([...new Set(entries.map(({ day, cause }) => `${day} ${cause}`))]).toEqual([`${today} found`]);
    expect(yesterday < today).toBe(true);
  });
});
