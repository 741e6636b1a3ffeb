import { mostCounted } from '@riskboard/contract';
import { withClient } from '@riskboard/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { listPage } from './page.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

/** More rows than are counted: only then are filters merged. */
const length = mostCounted + 500;

/** Of each filter by one value, its column and SQL of the value of row n. */
const filters = {
  status: {
    column: 'status',
    value: `(array['open', 'open', 'mitigated', 'fixed', 'accepted'])[1 + n * 7 % 5]`,
  },
  categoryId: { column: 'category_id', value: `nullif(n * 13 % 7, 0)` },
  cvssVersion: { column: 'cvss_version', value: `(array['', '2.0', '3.1', '3.1', '4.0'])[1 + n * 11 % 5]` },
  sourceFile: { column: 'source_file', value: `(array['', 'a.json', 'b.json'])[1 + n / 4000]` },
  cveId: { column: 'cve_id', value: `case when n % 3 = 0 then '' else 'CVE-2024-' || 1000 + n / 200 end` },
  withdrawn: { column: 'withdrawn', value: `case n % 50 when 0 then 'revoked' when 1 then 'deprecated' end` },
  appliedVignette: { column: 'applied_vignette', value: `case when n % 9 = 0 then 'Retail' else '' end` },
} as const;
type Filter = keyof typeof filters;
const names = Object.keys(filters) as Filter[];

const samples: Record<Filter, readonly string[]> = {
  status: ['open', 'mitigated', 'fixed', 'accepted'],
  categoryId: ['1', '5', '7'],
  cvssVersion: ['2.0', '3.1', '4.0', '5.0'],
  sourceFile: ['a.json', 'b.json', 'c.json'],
  cveId: ['CVE-2024-1000', 'CVE-2024-1051', 'CVE-1999-0001'],
  withdrawn: ['revoked', 'deprecated'],
  appliedVignette: ['Retail', 'Portal'],
};

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
  const columns = sql.raw(names.map((name) => filters[name].column).join(', '));
  const values = sql.raw(names.map((name) => filters[name].value).join(', '));
  await withOrganization(database, organizationId, (trx) =>
    sql`
      insert into vulnerability (organization_id, id, name, created_at, ${columns})
      select current_organization(), uuidv7(), 'row ' || n, '2026-01-01'::timestamptz + n % 977 * interval '1 minute', ${values}
      from generate_series(1, ${sql.lit(length)}) n`.execute(trx),
  );
  await withClient(database.clone.adminUrl, (admin) => admin.query('vacuum analyze vulnerability'));
});
afterAll(() => database.end());

const aFilter = fc
  .subarray(names, { minLength: 1, maxLength: 4 })
  .chain((chosen) =>
    fc.record(
      Object.fromEntries(
        chosen.map((name) => [name, fc.constantFrom(...samples[name]).map((value) => [value])]),
      ),
    ),
  );

/** The page by plain SQL. */
const expected = (filter: Record<string, string[]>, { by, skipped }: { by: string; skipped: number }) =>
  withOrganization(database, organizationId, async (trx) => {
    const conditions = Object.entries(filter).map(
      ([name, [value = '']]) => sql`${sql.raw(filters[name as Filter].column)}::text = ${value}`,
    );
    const { rows } = await sql<{ id: string; total: number }>`
      select id, count(*) over ()::int as total from vulnerability where ${sql.join(conditions, sql` and `)}
      order by ${sql.raw(by)} limit 20 offset ${skipped}`.execute(trx);
    return rows;
  });

const sorts = {
  '-createdAt': 'created_at desc, id desc',
  cveId: `nullif(cve_id, '') nulls last, id`,
  '-sourceFile': `nullif(source_file, '') desc nulls last, id desc`,
  cvssVersion: `nullif(cvss_version, '') nulls last, id`,
  '-withdrawn': `nullif(withdrawn, '') desc nulls last, id desc`,
} as const;

test('a page under any filters by one value is that of one query', { timeout: 60_000 }, async () => {
  const sort = fc.constantFrom(...(Object.keys(sorts) as (keyof typeof sorts)[]));
  await fc.assert(
    fc.asyncProperty(aFilter, sort, fc.constantFrom(1, 2, 60), async (filter, by, page) => {
      const read = await withOrganization(database, organizationId, (trx) =>
        listPage<{ id: string }>(trx, vulnerabilitySource, { ...filter, page, pageSize: 20, sort: by }),
      );
      const rows = await expected(filter, { by: sorts[by], skipped: (page - 1) * 20 });
      expect(read.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
      const [first] = rows;
      if (first !== undefined) expect(read.total).toBe(first.total);
    }),
    { numRuns: 60 },
  );
});
