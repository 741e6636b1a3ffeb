import { mostCounted } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { facetsOf } from './facets/facets.ts';
import { rowsTested } from './narrow.ts';
import { listPage, type PageInput } from './page.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

/** Rows in the list: more than are counted. */
const length = mostCounted + 2000;

let database: OpenDatabase;
let organizationId: string;

const within = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);

/** Row n has the name `common n`; every fourth has no score; one old row has a status and a file of its own. */
beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
  await within((trx) =>
    sql`
      insert into vulnerability (organization_id, id, name, cve_id, cvss_score, status, source_file, created_at)
      select current_organization(), ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        'common ' || n, '', case when n % 4 > 0 then n % 100 / 10.0 end,
        case when n = 1 then 'accepted' else 'open' end, case when n = 1 then 'old.json' else 'new.json' end,
        '2026-01-01'::timestamptz + n * interval '1 minute'
      from generate_series(1, ${sql.lit(length)}) n`.execute(trx),
  );
});
afterAll(() => database.end());

const read = (query: Partial<PageInput> & Record<string, unknown> = {}) =>
  within((trx) =>
    listPage<{ id: string; name: string }>(trx, vulnerabilitySource, {
      page: 1,
      pageSize: 500,
      sort: '-createdAt',
      ...query,
    }),
  );

const names = ({ rows }: { rows: { name: string }[] }): string[] => rows.map(({ name }) => name);

describe('the total of a list of more than 10,000 rows', () => {
  it('is exact without filters, which the overview counts', async () => {
    expect(await read()).toMatchObject({ total: length });
    expect(await read()).not.toHaveProperty('totalIsCapped');
  });

  it('stops at 10,000 under a filter that more rows match', async () => {
    expect(await read({ sourceFile: ['new.json'] })).toMatchObject({
      total: mostCounted,
      totalIsCapped: true,
    });
  });

  it('is exact under a filter that fewer rows match, and on the last page', async () => {
    const few = await read({ sourceFile: ['old.json'] });
    expect([few.total, few.totalIsCapped, few.nextCursor]).toEqual([1, undefined, null]);
    const last = await read({ sourceFile: ['new.json'], page: Math.ceil(length / 500) });
    expect([last.total, last.totalIsCapped, last.rows.length]).toEqual([length - 1, undefined, 499]);
  });

  it('is exact when the request asks for it', async () => {
    const all = await read({ sourceFile: ['new.json'], total: 'exact' });
    expect([all.total, all.totalIsCapped]).toEqual([length - 1, undefined]);
  });

  it('is carried by the cursor, also that it is capped', async () => {
    const first = await read({ sourceFile: ['new.json'] });
    const next = await read({ sourceFile: ['new.json'], cursor: first.nextCursor ?? '' });
    expect(next).toMatchObject({ total: mostCounted, totalIsCapped: true });
  });
});

describe('each sort shows every row once', () => {
  it.each([
    'createdAt',
    '-createdAt',
    'cvssScore',
    '-cvssScore',
    'status',
    '-status',
    'withdrawn',
    '-withdrawn',
  ])('by page number and by cursor, in the same order: %s', async (sort) => {
    const byNumber: string[] = [];
    for (let page = 1; page <= Math.ceil(length / 500); page += 1)
      byNumber.push(...names(await read({ sort, page })));
    const byCursor: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ sort, ...(cursor !== undefined && { cursor }) });
      byCursor.push(...names(page));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(byNumber).size).toBe(length);
    expect(byNumber).toEqual(byCursor);
  });

  it.each(['createdAt', '-createdAt'])('of one file: %s', async (sort) => {
    const ofFile = { sort, sourceFile: ['new.json'] };
    const [first, last] = [await read(ofFile), await read({ ...ofFile, page: Math.ceil(length / 500) })];
    const expected = Array.from({ length: length - 1 }, (_, n) => `common ${n + 2}`);
    const sorted = sort === 'createdAt' ? expected : expected.toReversed();
    const second = await read({ ...ofFile, cursor: first.nextCursor ?? '' });
    expect([...names(first), ...names(second)]).toEqual(sorted.slice(0, 1000));
    expect(names(last)).toEqual(sorted.slice(-499));
  });

  it('with empty values last in both directions', async () => {
    for (const sort of ['cvssScore', '-cvssScore']) {
      const { rows } = await read({ sort, page: Math.ceil(length / 500) });
      expect(rows.every((row) => (row as unknown as { cvss_score: unknown }).cvss_score === null)).toBe(true);
    }
  });

  it('has no rows after its last page', async () => {
    expect(await read({ page: 1000 })).toMatchObject({ rows: [], total: length, nextCursor: null });
    expect(await read({ page: 1000, sourceFile: ['new.json'] })).toMatchObject({
      rows: [],
      nextCursor: null,
    });
  });
});

describe('a filter by a number', () => {
  const expected = (matches: (score: number) => boolean) =>
    Array.from({ length }, (_, n) => n + 1).filter((n) => n % 4 > 0 && matches((n % 100) / 10)).length;

  it.each([
    [
      'a range, both ends included',
      { cvssScoreMin: '9.7', cvssScoreMax: '9.9' },
      (score: number) => score >= 9.7,
    ],
    ['from a value', { cvssScoreMin: '9.9' }, (score: number) => score >= 9.9],
    ['up to a value', { cvssScoreMax: '0.1' }, (score: number) => score <= 0.1],
    ['a value that no row has', { cvssScoreMin: '9.95' }, () => false],
    ['a range that ends before it begins', { cvssScoreMin: '9', cvssScoreMax: '1' }, () => false],
  ])('counts and shows the rows of %s', async (_, query, matches) => {
    const { total, totalIsCapped, rows } = await read(query);
    expect([total, totalIsCapped]).toEqual([expected(matches), undefined]);
    expect(rows).toHaveLength(Math.min(500, total));
  });

  it('counts rows without a value together with those in the range', async () => {
    const { total } = await read({ cvssScoreMin: '9.7', cvssScore: ['N/A'] });
    expect(total).toBe(expected((score) => score >= 9.7) + length / 4);
  });

  it('counts the rows that all of several filters keep', async () => {
    const few = await read({ cvssScoreMin: '9.9', search: 'common 1' });
    const named = Array.from({ length }, (_, n) => n + 1).filter(
      (n) => `${n}`.startsWith('1') && n % 100 === 99,
    );
    expect(few.total).toBe(named.length);
    expect(names(few)).toEqual(named.toReversed().map((n) => `common ${n}`));
  });

  it('counts among the newest 10,000 rows when many rows match each of several filters', async () => {
    const { total, totalIsCapped } = await read({ sourceFile: ['new.json'], search: 'common' });
    expect([total, totalIsCapped]).toEqual([mostCounted, true]);
  });
});

describe('a search in a long list', () => {
  it.each(['common', 'common 12', 'ommon 11999', 'nothing'])(
    'for “%s” finds its rows, counted at most to 10,000',
    async (search) => {
      const found = await read({ search });
      const { total } = await read({ search, total: 'exact' });
      const matching = Array.from({ length }, (_, n) => `common ${n + 1}`).filter((name) =>
        name.includes(search),
      );
      expect(total).toBe(matching.length);
      expect(found.total).toBe(Math.min(total, mostCounted));
      expect(found.totalIsCapped).toBe(total > mostCounted ? true : undefined);
      expect(names(found)).toEqual(matching.toReversed().slice(0, 500));
    },
  );

  it('finds the page of a word whose rows are sparse, by page number and by cursor', async () => {
    const sparse = { search: 'common 1', sort: 'cvssScore', pageSize: 50 };
    const first = await read(sparse);
    const second = await read({ ...sparse, cursor: first.nextCursor ?? '' });
    expect(names(await read({ ...sparse, pageSize: 100 }))).toEqual([...names(first), ...names(second)]);
    expect(names(await read({ ...sparse, page: 2 }))).toEqual(names(second));
  });

  it('reads the pages of a common word in the order of the list', async () => {
    const first = await read({ search: 'common' });
    const second = await read({ search: 'common', cursor: first.nextCursor ?? '' });
    expect([...names(first), ...names(second)]).toEqual([
      ...names(await read()),
      ...names(await read({ page: 2 })),
    ]);
  });
});

describe('a search for the name of an old file that has more rows than are counted', () => {
  let theirs: string;
  /** Rows 1 to 10,500 are of two old files; row 11,900 and row 5 have the word in their names. */
  const inFiles = 10_500;
  beforeAll(async () => {
    theirs = await makeOrganization(database);
    await withOrganization(database, theirs, async (trx) => {
      await sql`
        insert into file_content (organization_id, id, complete) values (current_organization(), current_organization(), true)`.execute(
        trx,
      );
      await sql`
        insert into report_file (organization_id, id, name, content_id, media, size, sha256, parse_job_id)
        select current_organization(), gen_random_uuid(), name, current_organization(), 'json', 1, '', gen_random_uuid()
        from unnest(array['archive 1.json', 'archive 2.json', 'new.json']) name`.execute(trx);
      await sql`
        insert into vulnerability (organization_id, id, name, cve_id, source_file, created_at)
        select current_organization(), ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
          case when n in (5, 11900) then 'Archived ' else 'common ' end || n, '',
          case when n > ${inFiles} then 'new.json' when n % 3 = 0 then 'archive 1.json' else 'archive 2.json' end,
          '2026-01-01'::timestamptz + n * interval '1 minute'
        from generate_series(1, ${sql.lit(length)}) n`.execute(trx);
    });
  });
  const find = (query: Partial<PageInput>) => {
    const search: PageInput & { search: string } = {
      page: 1,
      pageSize: 200,
      sort: '-createdAt',
      search: 'ARCHIVE',
      ...query,
    };
    return withOrganization(database, theirs, (trx) =>
      listPage<{ id: string; name: string }>(trx, vulnerabilitySource, search),
    );
  };
  const matching = [
    ...Array.from({ length: inFiles }, (_, n) => (n + 1 === 5 ? 'Archived 5' : `common ${n + 1}`)),
    'Archived 11900',
  ];

  it.each(['-createdAt', 'createdAt', 'name'])('reads the pages by %s in order', async (sort) => {
    const sorted = sort === 'name' ? matching.toSorted() : matching;
    const expected = sort === '-createdAt' ? sorted.toReversed() : sorted;
    const first = await find({ sort });
    const second = await find({ sort, cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ total: mostCounted, totalIsCapped: true });
    expect([...names(first), ...names(second)]).toEqual(expected.slice(0, 400));
    expect(names(await find({ sort, page: 2 }))).toEqual(names(second));
    expect(names(await find({ sort, page: 50 }))).toEqual(expected.slice(9800, 10_000));
  });

  it('ends with the last row', async () => {
    const last = await find({ page: 53 });
    expect(names(last)).toEqual(matching.toReversed().slice(10_400));
    expect(last.nextCursor).toBeNull();
    expect((await find({ total: 'exact' })).total).toBe(matching.length);
  });
});

describe('a filter by one weakness', () => {
  it('finds and counts it alone and beside others, and no weakness that begins with its text', async () => {
    const theirs = await makeOrganization(database);
    const cwe = [
      "{'CWE-7'}",
      "{'CWE-79'}",
      "{'CWE-7','CWE-79'}",
      "{'CWE-79','CWE-7'}",
      "{'CWE-79','CWE-7','CWE-79'}",
      "{'CWE-7!'}",
      '{}',
    ].map((list) => list.replaceAll("'", ''));
    const find = (weakness: string) =>
      withOrganization(database, theirs, async (trx) => {
        const query: PageInput & { cwe: string[] } = { page: 1, pageSize: 50, sort: 'name', cwe: [weakness] };
        const { rows, total } = await listPage<{ id: string; name: string }>(trx, vulnerabilitySource, query);
        return { names: new Set(rows.map(({ name }) => name)), total };
      });
    await withOrganization(database, theirs, (trx) =>
      sql`
        insert into vulnerability (organization_id, id, name, cve_id, cwe)
        select current_organization(), gen_random_uuid(), list, '', list::text[] from unnest(${cwe}::text[]) list`.execute(
        trx,
      ),
    );
    expect(await find('CWE-7')).toEqual({ names: new Set([cwe[0], cwe[2], cwe[3], cwe[4]]), total: 4 });
    expect(await find('CWE-79')).toEqual({
      names: new Set([cwe[1], cwe[2], cwe[3], cwe[4]]),
      total: 4,
    });
    expect(await find('CWE-1')).toEqual({ names: new Set(), total: 0 });
  });
});

describe('a facet of a long list', () => {
  const facet = async (field: string, query: Record<string, unknown> = {}) => {
    const { facets } = await within((trx) =>
      facetsOf(trx, vulnerabilitySource, { field: [field], ...query }),
    );
    return facets[field];
  };

  it('counts the newest rows, and names the values that only older rows have', async () => {
    expect(await facet('sourceFile')).toEqual({
      values: [
        { value: 'new.json', count: rowsTested },
        { value: 'N/A', count: 0 },
        { value: 'old.json', count: 0 },
      ],
      more: false,
      isCapped: true,
    });
  });

  it('finds such a value by its text', async () => {
    const found = await facet('sourceFile', { facetSearch: 'OLD' });
    expect(found?.values).toEqual([{ value: 'old.json', count: 0 }]);
  });

  it('has the range of the whole list', async () => {
    const { rows } = await read({ sort: 'createdAt', pageSize: 1 });
    const oldest = (rows[0] as unknown as { created_at: Date }).created_at.toISOString();
    expect(await facet('createdAt')).toMatchObject({ min: oldest, isCapped: true });
    expect(await facet('cvssScore')).toMatchObject({ min: expect.anything(), max: expect.anything() });
  });

  it('is exact under filters that at most 10,000 rows match', async () => {
    expect(await facet('status', { sourceFile: ['old.json'] })).toEqual({
      values: [{ value: 'accepted', count: 1 }],
      more: false,
    });
  });
});
