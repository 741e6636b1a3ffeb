import { assetList, type ListFields } from '@riskboard/contract';
import { assetHealth, assetRiskScore, isAtRisk } from '@riskboard/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { assetSource } from './assets.ts';
import { whereOf } from './conditions.ts';
import { listPage, type Page, type PageInput } from './page.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

const upTo = (most: number): (number | null)[] => [null, ...Array.from({ length: most }, (_, n) => n + 1)];

/** Every combination of levels, with different numbers of threats and vulnerabilities. */
const assets = upTo(5)
  .flatMap((criticality) => upTo(5).map((confidentiality) => ({ criticality, confidentiality })))
  .flatMap((levels) => upTo(4).map((integrity) => ({ ...levels, integrity })))
  .flatMap((levels) => upTo(4).map((availability) => ({ ...levels, availability })))
  .map((levels, n) => ({ id: newId(), ...levels, threats: n % 9, vulnerabilities: (n * 7) % 13 }));

const most = 13;

async function relate(trx: OrganizationTransaction, table: 'threat' | 'vulnerability'): Promise<void> {
  const ids = Array.from({ length: most }, () => newId());
  await sql`insert into ${sql.table(table)} (organization_id, id, name)
    select current_organization(), id, 'x' from unnest(${ids}::uuid[]) id`.execute(trx);
  const counts = assets.map((asset) => (table === 'threat' ? asset.threats : asset.vulnerabilities));
  await sql`insert into ${sql.table(`${table}_asset`)} (organization_id, asset_id, ${sql.ref(`${table}_id`)})
    select current_organization(), asset.id, record.id
    from unnest(${assets.map(({ id }) => id)}::uuid[], ${counts}::int[]) asset (id, count)
    join unnest(${ids}::uuid[]) with ordinality record (id, n) on record.n <= asset.count`.execute(trx);
}

async function fill(trx: OrganizationTransaction): Promise<void> {
  const projectId = newId();
  await trx
    .insertInto('project')
    .values({ organization_id: organizationId, id: projectId, name: 'p', start_date: '2026-01-01' })
    .execute();
  await trx
    .insertInto('asset')
    .values(
      assets.map((asset) => ({
        organization_id: organizationId,
        id: asset.id,
        project_id: projectId,
        name: 'a',
        asset_type_id: 1,
        criticality: asset.criticality,
        confidentiality_level: asset.confidentiality,
        integrity_level: asset.integrity,
        availability_level: asset.availability,
      })) as never,
    )
    .execute();
  await relate(trx, 'threat');
  await relate(trx, 'vulnerability');
}

interface Derived {
  id: string;
  risk_score: number;
  health: string;
}

it('risk score, health and at-risk status follow the formulas of spec 4 and 9', async () => {
  const find = (trx: OrganizationTransaction, filter: object) =>
    sql<Derived>`select r.id, r.risk_score, r.health from ${sql.raw(assetSource.from)} where ${whereOf(assetSource, filter)}
      order by r.id`.execute(trx);
  const [all, atRisk] = await withOrganization(database, organizationId, async (trx) => {
    await fill(trx);
    return [await find(trx, {}), await find(trx, { status: ['at-risk'] })];
  });
  const expected = assets.map((asset) => ({
    id: asset.id,
    risk_score: assetRiskScore(asset),
    health: assetHealth(asset),
  }));
  expect(all.rows).toEqual(expected.toSorted((a, b) => a.id.localeCompare(b.id)));
  expect(new Set(expected.map(({ health }) => health))).toEqual(new Set(['Healthy', 'Warning', 'Critical']));
  expect(Math.max(...expected.map((asset) => asset.risk_score))).toBe(10);
  expect(atRisk.rows.map(({ id }) => id).toSorted()).toEqual(
    expected
      .filter(({ health, risk_score: riskScore }) => isAtRisk({ health, riskScore }))
      .map(({ id }) => id)
      .toSorted(),
  );
});

const sorts = Object.entries(assetList.fields as ListFields).flatMap(([name, { sortable }]) =>
  sortable === false ? [] : [name, `-${name}`],
);

it.each(sorts)(
  'a list sorted by %s returns each asset once, in the same order by cursor and by page',
  async (sort) => {
    const read = (at: { page?: number; cursor?: string }) =>
      withOrganization(database, organizationId, (trx) =>
        listPage<Derived>(trx, assetSource, { page: 1, pageSize: 190, sort, ...at }),
      );
    const byCursor: string[] = [];
    const paged: string[] = [];
    let cursor: string | null = '';
    for (let page = 1; cursor !== null; page += 1) {
      const step: Page<Derived> = await read(cursor === '' ? {} : { cursor });
      expect(step.total).toBe(assets.length);
      byCursor.push(...step.rows.map(({ id }) => id));
      paged.push(...(await read({ page })).rows.map(({ id }) => id));
      cursor = step.nextCursor;
    }
    expect(new Set(byCursor)).toEqual(new Set(assets.map(({ id }) => id)));
    expect(byCursor).toHaveLength(assets.length);
    expect(byCursor).toEqual(paged);
  },
);

it('a project filter that is not an id matches no asset', async () => {
  const ids = (projectId: string[]) =>
    withOrganization(database, organizationId, async (trx) => {
      const { rows } = await sql<{ id: string }>`
        select r.id from ${sql.raw(assetSource.from)} where ${whereOf(assetSource, { projectId })}`.execute(
        trx,
      );
      return rows.length;
    });
  const { id } = await withOrganization(database, organizationId, (trx) =>
    trx.selectFrom('project').select('id').executeTakeFirstOrThrow(),
  );
  expect(await ids([id.toUpperCase(), 'x'])).toBe(assets.length);
  expect(await ids(['x', "' or true --"])).toBe(0);
});

it('each page of the assets at risk has the total and the next part of one order', async () => {
  const atRisk = { status: ['at-risk'], riskScoreMin: 4 };
  const page = (query: Partial<PageInput>) =>
    withOrganization(database, organizationId, (trx) =>
      listPage<{ id: string; risk_score: number }>(trx, assetSource, {
        page: 1,
        pageSize: 250,
        sort: '-riskScore',
        ...query,
        ...atRisk,
      }),
    );
  const expected = assets
    .map((asset) => ({ id: asset.id, score: assetRiskScore(asset), health: assetHealth(asset) }))
    .filter(({ score, health }) => score >= 4 && (health === 'Critical' || score >= 7))
    .toSorted((a, b) => b.score - a.score || b.id.localeCompare(a.id));
  const total = expected.length;
  const pages = [await page({}), await page({ page: 2 }), await page({ page: 3 })];
  expect(pages.map((one) => one.total)).toEqual([total, total, total]);
  expect(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(
    expected.slice(0, 750).map(({ id }) => id),
  );
  const byCursor = await page({ cursor: pages[0]?.nextCursor ?? '' });
  expect(byCursor.rows.map(({ id }) => id)).toEqual(pages[1]?.rows.map(({ id }) => id));
  expect(await page({ page: 1000 })).toMatchObject({ rows: [], total });
});
