import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { assetSource } from './assets.ts';
import { whereOf } from './conditions.ts';
import { orderBy, sortOf } from './sort.ts';
import { type Segment, segmentsOf, sortValue } from './sort.ts';
import { idsFrom, type ListColumn, type ListSource, tableColumn } from './source.ts';
import { rowsOf } from './read-rows.ts';
import { threatSource } from './threats.ts';
import { vignetteSource } from './vignettes.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

const sources: Readonly<Record<string, ListSource>> = {
  vulnerability: vulnerabilitySource,
  threat: threatSource,
  asset: assetSource,
};

const sorts = Object.entries(sources).flatMap(([table, { fields }]) =>
  Object.entries(fields).flatMap(([name, { sortable }]) =>
    sortable === false
      ? []
      : [
          { table, sort: name },
          { table, sort: `-${name}` },
        ],
  ),
);

/** Sorts by a column that can be empty, whose index holds the rows without a value too. */
const ofWholeIndexes = sorts.flatMap(({ table, sort }) => {
  const source = sources[table];
  const column = source?.columns[sort.replace('-', '')];
  return source && column && !column.required && !column.isSparse ? [{ table, sort, source }] : [];
});

interface Plan {
  /** The rows that the segment holds. */
  holds: Segment['holds'];
  text: string;
}

/** The plans of the segments of a sort, from the first row and from the last. */
const plansOf = (source: ListSource, sort: string): Promise<Plan[]> =>
  withOrganization(database, organizationId, async (trx) => {
    // Without rows the planner would prefer to read the table and sort.
    await sql`set local enable_seqscan = off; set local enable_bitmapscan = off`.execute(trx);
    const by = sortOf(source, sort);
    const plans: Plan[] = [];
    for (const { holds, condition, order } of [...segmentsOf(by), ...segmentsOf(by, true)]) {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (costs off) select r.id from ${sql.raw(idsFrom(source))}
        where ${whereOf(source, {})} and ${condition} order by ${order} limit 10`.execute(trx);
      plans.push({ holds, text: rows.map((row) => row['QUERY PLAN']).join('\n') });
    }
    return plans;
  });

describe('each sort of a list that can grow reads its rows from an index in order', () => {
  it.each(sorts)('$table by $sort', async ({ table, sort }) => {
    const source = sources[table];
    if (source === undefined) throw new Error(`No source of ${table}`);
    for (const { text } of await plansOf(source, sort)) {
      expect(text).toMatch(/Index (?:Only )?Scan/u);
      expect(text).not.toContain('Sort');
    }
  });

  const ofAssets = sorts.filter(
    ({ table, sort }) => table === 'asset' && tableColumn(sortOf(assetSource, sort).column) !== undefined,
  );
  it.each(ofAssets)('$table by $sort skips rows in the index alone', async ({ sort }) => {
    const plans = await plansOf(assetSource, sort);
    const others = plans.filter(({ holds, text }) => holds === 'values' && !text.includes('Index Only Scan'));
    expect(others).toEqual([]);
  });

  // Otherwise a list in which every row has a value would be read whole to find none without one.
  it.each(ofWholeIndexes)('$table by $sort finds the rows without a value in the index', async (each) => {
    const plans = await plansOf(each.source, each.sort);
    const empty = plans.filter(({ holds }) => holds === 'empty');
    expect(empty).toHaveLength(2);
    for (const { text } of empty) {
      expect(text).toMatch(/Index Cond: .* IS NULL/u);
      expect(text).not.toMatch(/Filter: .* IS NULL/u);
    }
  });
});

/**
 * Comparisons of numbers and lists are not leakproof (migrations 0043, 0052), nor are texts that are computed from numbers:
 * facets know their values.
 */
const isLeakproof = (column: ListColumn): boolean =>
  column.type !== 'numeric' && column.type !== 'text[]' && tableColumn(column) !== undefined;

const comparable = Object.entries(sources).flatMap(([table, source]) =>
  Object.entries(source.columns)
    .filter(([, column]) => isLeakproof(column))
    .map(([field, column]) => ({ table, field, source, column })),
);

describe('the rest of a sorted list, and the next value of a facet, is found in the index under row-level security', () => {
  it.each(comparable)('$table by $field', async ({ source, column }) => {
    const value = sortValue(column);
    const from = sql.raw(source.from);
    const [segment] = segmentsOf({ column, descending: true });
    const plan = await withOrganization(database, organizationId, async (trx) => {
      await sql`set local enable_seqscan = off; set local enable_bitmapscan = off`.execute(trx);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (costs off)
        with start as materialized (select ${value} as value from ${from} where r.organization_id = current_organization())
        select r.id from ${from} where r.organization_id = current_organization() and ${segment?.condition}
          and ${value} < (select value from start limit 1) order by ${segment?.order} limit 10`.execute(trx);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/Index Cond: .* < /u);
    expect(plan).not.toMatch(/Filter: .* < /u);
  });
});

describe('a list with rows', () => {
  // In an empty table any index of the organization costs the same.
  let filled: OpenDatabase;
  let filledId: string;
  beforeAll(async () => {
    filled = await openClone();
    filledId = await makeOrganization(filled);
    await withOrganization(filled, filledId, async (trx) => {
      for (const table of ['vulnerability', 'threat'])
        await sql`
          insert into ${sql.table(table)} (organization_id, id, name, source_file)
          select current_organization(), uuidv7(), 'row ' || n, 'report ' || n % 10 || '.json' from generate_series(1, 2000) n`.execute(
          trx,
        );
    });
    await withClient(filled.clone.adminUrl, (admin) => admin.query('vacuum analyze vulnerability, threat'));
  });
  afterAll(() => filled.end());

  it.each([
    ['vulnerability', vulnerabilitySource],
    ['threat', threatSource],
  ] as const)('of one file, %s: is sorted by creation and counted from one index', async (table, source) => {
    const where = whereOf(source, { sourceFile: ['report 7.json'] });
    const from = sql.raw(source.from);
    const plans = await withOrganization(filled, filledId, async (trx) => {
      await sql`set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off`.execute(
        trx,
      );
      const found: string[] = [];
      for (const query of [
        sql`select r.name from ${from} where ${where} order by r.created_at desc, r.id desc limit 10`,
        sql`select count(*) from (select from ${from} where ${where} limit 10) counted`,
      ]) {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${query}`.execute(trx);
        found.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      }
      return found;
    });
    expect(plans[0]).toContain(`Index Scan Backward using ${table}_asc_source_created`);
    expect(plans[0]).not.toContain('Sort');
    expect(plans[1]).toContain(`Index Only Scan using ${table}_asc_source_created`);
  });

  const planOfIds = (source: ListSource): Promise<string> =>
    withOrganization(filled, filledId, async (trx) => {
      const ids = sql<{ id: string }>`select id::text from vulnerability limit 50`;
      const { rows: found } = await ids.execute(trx);
      const chosen = rowsOf(
        source,
        found.map(({ id }) => id),
        orderBy(sortOf(source, '-createdAt')),
      );
      const { rows } = await sql<{
        'QUERY PLAN': string;
      }>`explain (costs off) select r.* from ${chosen}`.execute(trx);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });

  it.each([
    ['vulnerability', vulnerabilitySource],
    ['threat', threatSource],
  ] as const)('%s: the rows of ids are looked up by the key', async (table, source) => {
    const plan = await planOfIds(source);
    expect(plan).toContain(`Index Scan using ${table}_pkey`);
    expect(plan).toMatch(/Index Cond: .*id = chosen\.chosen_id/u);
  });

  it('the rows of ids of vignettes, which count their vulnerabilities together, are read at once', async () => {
    const plan = await planOfIds(vignetteSource);
    expect(plan).toContain('Aggregate');
    expect(plan).not.toContain('chosen');
  });
});

it('the names of the projects are looked up for the rows of a page of assets, instead of a join of all assets', async () => {
  const plan = await withOrganization(database, organizationId, async (trx) => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) select r.id, r.project_name from ${sql.raw(assetSource.from)}
      where ${whereOf(assetSource, {})} order by r.created_at desc, r.id desc limit 500`.execute(trx);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('SubPlan');
  expect(plan).not.toContain('Join');
});

describe('a list of one weakness', () => {
  it('is counted from the index of the sort', async () => {
    const plan = await withOrganization(database, organizationId, async (trx) => {
      await sql`set local enable_seqscan = off; set local enable_bitmapscan = off`.execute(trx);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (costs off) select count(*) from vulnerability where organization_id = current_organization()
          and nullif(cwe, '{}') is not null and cwe[1] = 'CWE-79'`.execute(trx);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('Index Only Scan using vulnerability_of_weakness');
  });
});
