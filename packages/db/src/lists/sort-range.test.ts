import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { rowsTested } from './narrow.ts';
import { listPage } from './page.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

const length = 2 * rowsTested;
const inRange = 300;
const pageSize = 50;
/** Nodes of one plan count the same row again. */
const mostRead = 5 * inRange;

let database: RecordedDatabase;
let organizationId: string;

/** Row n was created n minutes after the start of 2026 and discovered on the nth day of 2000; every second row is open. */
beforeAll(async () => {
  database = await openRecorded();
  organizationId = await makeOrganization(database);
  await withOrganization(database, organizationId, (trx) =>
    sql`
      insert into vulnerability (organization_id, id, name, status, created_at, discovery_date)
      select current_organization(), ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'row ' || n,
        case when n % 2 = 0 then 'open' else 'accepted' end,
        '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute', date '2000-01-01' + n
      from generate_series(1, ${sql.lit(length)}) n`.execute(trx),
  );
  await withClient(database.clone.adminUrl, (admin) => admin.query('vacuum analyze vulnerability'));
  database.statements();
});
afterAll(() => database.end());

const time = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
const day = (n: number): string => new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 10);

async function read(query: Record<string, unknown> & { sort: string }) {
  const page = await withOrganization(database, organizationId, (trx) =>
    listPage<{ id: string; name: string }>(trx, vulnerabilitySource, { page: 1, pageSize, ...query }),
  );
  return { ...page, names: page.rows.map(({ name }) => name), mostRead: database.statements()[0]?.rows ?? 0 };
}

const range = (from: number, to: number, step = 1): string[] =>
  Array.from(
    { length: Math.floor(Math.abs(to - from) / Math.abs(step)) + 1 },
    (_, n) => `row ${from + n * step}`,
  );

describe('a range of the field that a list is sorted by, far from the start of the list', () => {
  it('is read where it begins, in a descending list', async () => {
    const old = { createdAtMin: time(1), createdAtMax: time(inRange) };
    const page = await read({ sort: '-createdAt', ...old });
    expect(page.names).toEqual(range(inRange, inRange - pageSize + 1, -1));
    expect(page.total).toBe(inRange);
    expect(page.mostRead).toBeLessThan(mostRead);
  });

  it('is read where it begins, in an ascending list', async () => {
    const page = await read({ sort: 'createdAt', createdAtMin: time(length - inRange + 1) });
    expect(page.names).toEqual(range(length - inRange + 1, length - inRange + pageSize));
    expect(page.total).toBe(inRange);
    expect(page.mostRead).toBeLessThan(mostRead);
  });

  it('is read where it begins, for days, under another filter too', async () => {
    const page = await read({ sort: '-discoveryDate', discoveryDateMax: day(inRange), status: ['open'] });
    expect(page.names).toEqual(range(inRange, inRange - 2 * pageSize + 2, -2));
    expect(page.total).toBe(inRange / 2);
    expect(page.mostRead).toBeLessThan(mostRead);
  });

  it('goes on after the cursor, and ends with the range', async () => {
    const old = { sort: '-createdAt', createdAtMin: time(1), createdAtMax: time(inRange) };
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ ...old, ...(cursor !== undefined && { cursor }) });
      names.push(...page.names);
      expect(page.mostRead).toBeLessThan(mostRead);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(names).toEqual(range(inRange, 1, -1));
  });

  it('finds the rows without a value too, where N/A is chosen', async () => {
    const page = await read({ sort: '-discoveryDate', discoveryDateMax: day(2), discoveryDate: ['N/A'] });
    expect(page.names).toEqual(['row 2', 'row 1']);
  });
});
