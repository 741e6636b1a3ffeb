import { mostCounted } from '@riskboard/contract';
import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergingIndexes } from '../query-plans.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { assetSource } from './assets.ts';
import { type Condition } from './filter.ts';
import { conditionsOf } from './conditions.ts';
import { mergeValues } from './merged-values.ts';
import { narrow } from './narrow.ts';
import { listPage, type PageInput } from './page.ts';
import type { ListSource } from './source.ts';
import { threatSource } from './threats.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

/** Rows in the list: more than are counted. */
const length = mostCounted + 2000;

let database: OpenDatabase;
let organizationId: string;

const within = <T>(work: (trx: OrganizationTransaction) => Promise<T>, id = organizationId): Promise<T> =>
  withOrganization(database, id, work);

/** Row n has the category 1 + n % 4; rows of category 4 are fixed, except the oldest 20; every third other row is mitigated. */
const fill = (trx: OrganizationTransaction) =>
  sql`
    insert into vulnerability (organization_id, id, name, cve_id, status, category_id, cvss_version, severity, created_at)
    select current_organization(), uuidv7(), 'row ' || n, '',
      case when n % 4 = 3 and n > 80 then 'fixed' when n % 3 = 0 then 'mitigated' else 'open' end, 1 + n % 4,
      case when n % 10 > 0 then '3.1' else '' end, n % 11, '2026-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, ${sql.lit(length)}) n`.execute(trx);

/** Threats and assets, so that the planner knows what reading them costs. */
const fillOthers = (trx: OrganizationTransaction) =>
  sql`
    with a_project as (
      insert into project (organization_id, id, name, start_date) values (current_organization(), uuidv7(), 'Port', now())
      returning id
    ), some_threats as (
      insert into threat (organization_id, id, name) select current_organization(), uuidv7(), 'threat ' || n
      from generate_series(1, 2000) n
    )
    insert into asset (organization_id, id, project_id, name, asset_type_id)
    select current_organization(), uuidv7(), a_project.id, 'asset ' || n, 1 + n % 6
    from generate_series(1, 2000) n, a_project`.execute(trx);

beforeAll(async () => {
  database = await openClone();
  const neighbour = await makeOrganization(database);
  organizationId = await makeOrganization(database);
  await within(fill, neighbour);
  await within(fill);
  await within(fillOthers);
  // Only this organization has an accepted vulnerability of the fifth category.
  await within((trx) =>
    sql`update vulnerability set status = 'accepted', category_id = 5 where name = 'row 7'`.execute(trx),
  );
  await withClient(database.clone.adminUrl, (admin) => admin.query('vacuum analyze'));
});
afterAll(() => database.end());

const read = (query: Partial<PageInput> & Record<string, unknown>) =>
  within((trx) =>
    listPage<{ id: string; name: string }>(trx, vulnerabilitySource, {
      page: 1,
      pageSize: 10,
      sort: '-createdAt',
      ...query,
    }),
  );

/** Names of the rows and their number, by plain SQL. */
const expected = (condition: string) =>
  within(async (trx) => {
    const { rows } = await sql<{ name: string }>`
      select name from vulnerability where ${sql.raw(condition)} order by created_at desc, id desc`.execute(
      trx,
    );
    return { names: rows.slice(0, 10).map(({ name }) => name), total: rows.length };
  });

describe('filters by one value each', () => {
  it.each([
    [{ status: ['fixed'], categoryId: ['1'] }, `status = 'fixed' and category_id = 1`],
    [{ status: ['open'], categoryId: ['4'] }, `status = 'open' and category_id = 4`],
    [{ status: ['mitigated'], categoryId: ['2'] }, `status = 'mitigated' and category_id = 2`],
    [{ status: ['accepted'], categoryId: ['5'] }, `status = 'accepted' and category_id = 5`],
    [{ status: ['accepted'], categoryId: ['4'] }, `status = 'accepted' and category_id = 4`],
    [{ status: ['accepted'] }, `status = 'accepted'`],
    [
      { status: ['open'], categoryId: ['4'], cvssVersion: ['3.1'] },
      `status = 'open' and category_id = 4 and cvss_version = '3.1'`,
    ],
    [
      { status: ['open'], categoryId: ['4'], severity: ['low'] },
      `status = 'open' and category_id = 4 and severity < 4`,
    ],
    [
      { status: ['open'], categoryId: ['4'], search: 'row 1' },
      `status = 'open' and category_id = 4 and name like '%row 1%'`,
    ],
    [
      { status: ['open', 'accepted'], categoryId: ['5'] },
      `status in ('open', 'accepted') and category_id = 5`,
    ],
  ])('%j: the same rows and number as one query', async (filter, condition) => {
    const page = await read(filter);
    const { names, total } = await expected(condition);
    expect([page.rows.map(({ name }) => name), page.total, page.totalIsCapped]).toEqual([
      names,
      total,
      undefined,
    ]);
  });

  it('pages after a cursor and by number are those of one query', async () => {
    const filter = { status: ['open'], categoryId: ['4'], pageSize: 7 };
    const { names } = await expected(`status = 'open' and category_id = 4`);
    const first = await read(filter);
    const second = await read({ ...filter, cursor: first.nextCursor ?? '' });
    const byNumber = await read({ ...filter, page: 2 });
    expect(second.rows.slice(0, 3).map(({ name }) => name)).toEqual(names.slice(7));
    expect(byNumber.rows).toEqual(second.rows);
  });

  it('counting stops at 10,000', async () => {
    expect(await read({ cvssVersion: ['3.1'] })).toMatchObject({ total: mostCounted, totalIsCapped: true });
  });

  it('rows of an old combination are found by their ids, not by testing the list', async () => {
    const query = { status: ['open'], categoryId: ['4'] };
    const narrowed = await within((trx) => narrow(trx, vulnerabilitySource, { query }));
    expect(narrowed).toMatchObject({
      isCollected: true,
      total: (await expected(`status = 'open' and category_id = 4`)).total,
    });
  });
});

describe('the rows of a value are read from the index of the sort in the order of their ids', () => {
  const samples: Readonly<Record<string, string>> = {
    text: 'some',
    integer: '1',
    boolean: 'true',
    uuid: '019a0000-0000-7000-8000-000000000001',
  };
  const sources: readonly ListSource[] = [vulnerabilitySource, threatSource, assetSource];
  const cases = sources.flatMap((source) =>
    Object.entries(source.columns).flatMap(([name, { type }]) => {
      const [condition] = conditionsOf(source, { [name]: [samples[type] ?? ''] });
      return condition?.isValue ? [{ table: source.table, name, source, condition }] : [];
    }),
  );

  it('of each list, by at least two columns', () => {
    const tables = cases.map(({ table }) => table);
    for (const table of ['vulnerability', 'threat', 'asset'])
      expect(tables.filter((one) => one === table).length).toBeGreaterThan(1);
  });

  const planOf = (source: ListSource, conditions: Condition[]) =>
    within((trx) =>
      mergingIndexes(trx, async () => {
        const [merged] = mergeValues(source, conditions);
        const { rows } = await sql<{
          'QUERY PLAN': string;
        }>`explain (costs off) ${merged?.ids?.(10)}`.execute(trx);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      }),
    );

  /** The indexes of texts of threats do not include the column (migration 0058). */
  const readsRows = (table: string | undefined, { isValue }: Condition) =>
    table === 'threat' && isValue?.isOfText === true;

  it.each(cases)('$table by $name', async ({ table, source, condition }) => {
    const { name } = condition;
    if (source.columns[name]?.isCompared) {
      expect(mergeValues(source, [condition])).toEqual([condition]);
      return;
    }
    const plan = await planOf(source, [condition]);
    expect(plan).toMatch(readsRows(table, condition) ? /Index Scan .*using/u : /Index Only Scan/u);
    expect(plan).not.toContain('Sort');
    expect(plan).not.toContain('Filter');
  });

  it('two values by merging their indexes', async () => {
    const conditions = conditionsOf(vulnerabilitySource, { status: ['fixed'], categoryId: ['1'] });
    const plan = await planOf(vulnerabilitySource, conditions);
    expect(plan).toContain('Merge Semi Join');
    expect(plan.match(/Index Only Scan/gu)).toHaveLength(2);
    expect(plan).not.toMatch(/Sort|Materialize|Filter/u);
  });
});
