import { mostCounted } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { activitySource } from './activity.ts';
import { batchFileSource } from './batch-files.ts';
import { csvLinesFrom } from './csv-lines.ts';
import { facetsOf } from './facets/facets.ts';
import { jobSource } from './jobs.ts';
import { listPage } from './page.ts';
import { reportFileSource } from './report-files.ts';
import type { ListSource } from './source.ts';
import { type Step, walkFrom } from './walk.ts';

/** Rows of each list. */
const length = 3 * mostCounted;

const [batch, newerBatch, content] = [newId(), newId(), newId()];

let database: RecordedDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openRecorded();
  organizationId = await makeOrganization(database);
  await fill();
}, 120_000);
afterAll(() => database.end());

const within = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);

/** Row n was written in minute n; row 1 differs from the others, and every second one has ended. A newer batch has as many files. */
const fill = () =>
  within(async (trx) => {
    const rows = sql`generate_series(1, ${length}::int) n`;
    const at = sql`timestamptz '2026-01-01' + n * interval '1 minute'`;
    const seconds = sql`case when n % 2 = 0 then n * interval '1 second' end`;
    await sql`
      insert into activity (organization_id, id, at, actor, action, noun, name)
      select current_organization(), gen_random_uuid(), ${at}, 'Ada', 'report.uploaded', 'reports', 'x' from ${rows}`.execute(
      trx,
    );
    await sql`
      insert into job (organization_id, id, kind, payload, state, created_at, started_at, finished_at)
      select current_organization(), gen_random_uuid(), 'stix.parse', '{}',
        case n when 1 then 'failed' else 'succeeded' end, ${at}, ${at}, ${at} + ${seconds} from ${rows}`.execute(
      trx,
    );
    await sql`
      insert into file_content (organization_id, id, complete) values (current_organization(), ${content}, true)`.execute(
      trx,
    );
    await sql`
      insert into report_file (organization_id, id, name, content_id, media, size, sha256, stix_version, uploaded_at, parse_job_id)
      select current_organization(), gen_random_uuid(), n || '.json', ${content}, 'json', n, '',
        case n when 1 then '1.2' else '2.1' end, ${at}, gen_random_uuid() from ${rows}`.execute(trx);
    await sql`
      insert into batch (organization_id, id, name)
      select current_organization(), id, 'x' from unnest(${[batch, newerBatch]}::uuid[]) id`.execute(trx);
    await sql`
      insert into batch_file (organization_id, id, batch_id, name, size, state, issues, received_at, ended_at)
      select current_organization(), gen_random_uuid(), id, n || '.json', n,
        case when id <> ${batch} then 'cancelled' when n = 1 then 'failed' else 'succeeded' end, n / 10,
        ${at} + case when id = ${batch} then interval '0' else interval '1 year' end, ${at} + ${seconds}
      from unnest(${[batch, newerBatch]}::uuid[]) id, ${rows}`.execute(trx);
  });

interface List {
  name: string;
  source: ListSource;
  /** Its default sort. */
  sort: string;
  scope?: object;
}

const lists: List[] = [
  { name: 'activity entries', source: activitySource('owner'), sort: '-at' },
  { name: 'jobs', source: jobSource, sort: '-createdAt' },
  { name: 'reports', source: reportFileSource, sort: '-uploadDate' },
  { name: 'files of a batch', source: batchFileSource, sort: 'receivedAt', scope: { batchId: batch } },
];

/** The result of some work, and the rows that its statements read. */
async function reading<T>(
  work: (trx: OrganizationTransaction) => Promise<T>,
): Promise<{ result: T; rows: number }> {
  database.statements();
  const result = await within(work);
  return { result, rows: database.statements().reduce((sum, { rows }) => sum + rows, 0) };
}

/** The columns of each list that an index holds in order. */
const byIndex = lists.flatMap((list) =>
  Object.entries(list.source.columns)
    .filter(([, { isIndexed, sql: text }]) => isIndexed === true || text === list.source.newestBy)
    .map(([column]) => ({ ...list, column })),
);

/** Sorts that the API offers for these lists, and which no index holds: by what other tables have. */
const withoutIndex = ['jobs by fileName', 'files of a batch by report'];

describe('a sort of a list of more rows than are counted', () => {
  it('has an index, or is by what other tables have', () => {
    const offered = lists.flatMap(({ name, source }) =>
      Object.entries(source.fields)
        .filter(([, { sortable }]) => sortable !== false)
        .map(([column]) => `${name} by ${column}`),
    );
    const indexed = new Set(byIndex.map(({ name, column }) => `${name} by ${column}`));
    expect(offered.filter((sort) => !indexed.has(sort))).toEqual(withoutIndex);
  });

  it.each(byIndex.flatMap((list) => [1, 100].map((page) => ({ ...list, page }))))(
    'of $name by $column reads no others: page $page',
    async ({ source, column, scope, page }) => {
      for (const sort of [column, `-${column}`]) {
        const { result, rows } = await reading((trx) =>
          listPage(trx, source, { ...scope, page, pageSize: 50, sort }),
        );
        expect(result.rows).toHaveLength(50);
        expect(result).toMatchObject({ total: mostCounted, totalIsCapped: true });
        // The total, its limit, and the skipped rows, which a sort within equal values or a count may read again.
        expect(rows).toBeLessThan(3.7 * mostCounted);
      }
    },
  );

  it.each(byIndex)(
    'of $name by $column continues after the cursor in the index',
    async ({ source, column, scope }) => {
      for (const sort of [column, `-${column}`]) {
        const page = await within((trx) =>
          listPage(trx, source, { ...scope, page: 100, pageSize: 50, sort }),
        );
        const { result, rows } = await reading((trx) =>
          listPage(trx, source, { ...scope, page: 101, pageSize: 50, sort, cursor: page.nextCursor ?? '' }),
        );
        const numbered = await within((trx) =>
          listPage(trx, source, { ...scope, page: 101, pageSize: 50, sort }),
        );
        expect(result.rows).toEqual(numbered.rows);
        // Row-level security keeps the comparison of an expression from the index, which is read from its start.
        expect(rows).toBeLessThan(column === 'took' ? mostCounted : 1000);
      }
    },
  );
});

describe('facets of more rows than are counted', () => {
  it.each(lists)('read the newest $name', async ({ source, scope }) => {
    const { rows } = await reading((trx) => facetsOf(trx, source, { ...scope }));
    expect(rows).toBeLessThan(7 * mostCounted);
  });

  it('name the states that only older jobs may have, and no range of times without an index', async () => {
    const { result } = await reading((trx) =>
      facetsOf(trx, jobSource, { field: ['state', 'createdAt', 'startedAt'] }),
    );
    const { state, createdAt, startedAt } = result.facets;
    expect(state).toMatchObject({ more: false, isCapped: true });
    expect(state?.values[0]).toEqual({ value: 'succeeded', count: 5000 });
    expect(state?.values).toContainEqual({ value: 'failed', count: 0 });
    expect(createdAt).toMatchObject({ min: '2026-01-01T00:01:00.000Z', max: '2026-01-21T20:00:00.000Z' });
    expect(startedAt).toEqual({ values: [{ value: 'N/A', count: 0 }], more: false, isCapped: true });
  });

  it('find the version of an old report by its name', async () => {
    const versions = async (query: object) => {
      const { result } = await reading((trx) =>
        facetsOf(trx, reportFileSource, { field: ['stixVersion'], ...query }),
      );
      return result.facets['stixVersion'];
    };
    expect(await versions({})).toEqual({
      values: [{ value: '2.1', count: 5000 }],
      more: true,
      isCapped: true,
    });
    expect(await versions({ facetSearch: '1.2' })).toEqual({
      values: [{ value: '1.2', count: 1 }],
      more: false,
      isCapped: true,
    });
  });

  it('are those of the files of one batch', async () => {
    const query = { batchId: batch, field: ['state', 'receivedAt'] };
    const { result } = await reading((trx) => facetsOf(trx, batchFileSource, query));
    const counted = result.facets['state']?.values.filter(({ count }) => count > 0);
    expect(counted).toEqual([{ value: 'succeeded', count: 5000 }]);
    expect(result.facets['receivedAt']).toEqual({ values: [], more: false, isCapped: true });
  });
});

describe('exports by time of more rows than are counted', () => {
  /** Rows read by all steps of an export. */
  async function readBy(
    step: (trx: OrganizationTransaction, cursor: string | undefined) => Promise<Step<unknown>>,
  ): Promise<number> {
    let sum = 0;
    let cursor: string | undefined;
    do {
      const after = cursor;
      const read = await reading((trx) => step(trx, after));
      sum += read.rows;
      cursor = read.result.next;
    } while (cursor !== undefined);
    return sum;
  }

  it.each(lists.filter(({ source }) => source.cells !== undefined))(
    'of $name read each row a few times as lines of CSV',
    async ({ source, sort, scope }) => {
      const records = { source, fields: Object.keys(source.fields) };
      const query = { ...scope, sort };
      // The end of a step, the sizes of its rows, and its lines, of which several nodes of a plan count each.
      expect(await readBy((trx, cursor) => csvLinesFrom(trx, records, { query, cursor }))).toBeLessThan(
        16 * length,
      );
    },
  );

  it('of jobs read each row once', async () => {
    const read = await readBy((trx, cursor) =>
      walkFrom<{ id: string }>(trx, jobSource, { query: { sort: '-createdAt' }, cursor }),
    );
    expect(read).toBeLessThan(3 * length);
  });
});
