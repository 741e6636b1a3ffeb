import { activityNouns, mostCounted, ownerNouns, type Role } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../new-id.ts';
import { openRecorded, type RecordedDatabase } from '../../testing/open.ts';
import { makeOrganization } from '../../testing/organization.ts';
import { withOrganization } from '../../with-organization.ts';
import { activitySource } from '../activity.ts';
import { alertSource } from '../alerts.ts';
import { facetsOf } from './facets.ts';
import { threatSource } from '../threats.ts';
import { vulnerabilitySource } from '../vulnerabilities.ts';

let database: RecordedDatabase;
beforeAll(async () => {
  database = await openRecorded();
});
afterAll(() => database.end());

/** The facet of Threat IDs over threats with these ids. */
async function facetOf(ids: readonly string[], facetSearch?: string) {
  const organizationId = await makeOrganization(database);
  const { facets } = await withOrganization(database, organizationId, async (trx) => {
    const threats = ids.map((threat_id) => ({
      organization_id: organizationId,
      id: newId(),
      name: 'x',
      threat_id,
    }));
    await trx.insertInto('threat').values(threats).execute();
    return facetsOf(trx, threatSource, { field: ['threatID'], facetSearch });
  });
  expect(Object.keys(facets)).toEqual(['threatID']);
  return facets['threatID'];
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `T${1000 + n}`);

describe('a facet of texts', () => {
  it('lists the most frequent values first, and equally frequent ones alphabetically', async () => {
    expect(await facetOf(['T2', 'T1', 'T3', 'T3', '', '', ''])).toEqual({
      values: [
        { value: 'N/A', count: 3 },
        { value: 'T3', count: 2 },
        { value: 'T1', count: 1 },
        { value: 'T2', count: 1 },
      ],
      more: false,
    });
  });

  it.each([
    [200, false],
    [201, true],
  ])('of %i values returns at most 200, with more: %s', async (count, more) => {
    const facet = await facetOf(numbered(count));
    expect(facet?.values).toHaveLength(200);
    expect(facet?.more).toBe(more);
  });

  it.each([
    ['t1199', ['T1199']],
    [' T119 ', numbered(200).slice(190)],
    ['n/', ['N/A']],
    ['%', ['a%b']],
    ['_', ['a_b']],
    ['nothing', []],
  ])('finds %j among more than 200 values', async (search, found) => {
    const facet = await facetOf([...numbered(300), 'a%b', 'a_b', ''], search);
    const values = facet?.values.map(({ value }) => value) ?? [];
    expect(values.toSorted()).toEqual(found.toSorted());
    expect(facet?.more).toBe(false);
  });

  it('ignores a blank facetSearch', async () => {
    const facet = await facetOf(numbered(201), ' ');
    expect([facet?.values.length, facet?.more]).toEqual([200, true]);
  });
});

/** The facets of vulnerabilities, of which the older half is of one file and the newer half has scores and another status. */
async function facetsOfRows(count: number, query: Record<string, unknown>) {
  const organizationId = await makeOrganization(database);
  await withOrganization(database, organizationId, (trx) =>
    sql`
      insert into vulnerability (organization_id, id, name, source_file, cvss_score, status)
      select current_organization(), ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'row ' || n,
        case when 2 * n <= ${count} then 'old.json' else '' end, case when 2 * n > ${count} then 5 end,
        case when 2 * n > ${count} then 'open' else 'fixed' end
      from generate_series(1, ${count}::int) n`.execute(trx),
  );
  database.statements();
  const { facets } = await withOrganization(database, organizationId, (trx) =>
    facetsOf(trx, vulnerabilitySource, query),
  );
  return { facets, reads: database.statements().filter(({ text }) => text.includes('picked as')) };
}

describe('facets of several fields', () => {
  it('are counted from one reading of the rows', async () => {
    const { facets, reads } = await facetsOfRows(40, {});
    expect(reads).toHaveLength(1);
    expect(facets['status']?.values).toEqual([
      { value: 'fixed', count: 20 },
      { value: 'open', count: 20 },
    ]);
    expect(facets['cvssScore']).toEqual({
      values: [{ value: 'N/A', count: 20 }],
      more: false,
      min: 5,
      max: 5,
    });
    expect(facets['severity']).toEqual({
      values: [{ value: 'N/A', count: 40 }],
      more: false,
      min: null,
      max: null,
    });
  });

  it('are read once more for each field with a filter', async () => {
    const { facets, reads } = await facetsOfRows(40, { status: ['open'], cvssScore: ['N/A'] });
    expect(reads).toHaveLength(3);
    expect(facets['status']?.values).toEqual([{ value: 'fixed', count: 20 }]);
    expect(facets['cvssScore']).toMatchObject({ values: [], min: 5, max: 5 });
    expect(facets['sourceFile']?.values).toEqual([]);
  });

  it('are in the order of the request', async () => {
    const { facets } = await facetsOfRows(2, {
      field: ['status', 'cvssScore', 'cveId', 'status'],
      cvssScore: ['N/A'],
    });
    expect(Object.keys(facets)).toEqual(['status', 'cvssScore', 'cveId']);
  });

  it('of a long list read no rows for values that are computed from a number', async () => {
    const organizationId = await makeOrganization(database);
    await withOrganization(database, organizationId, (trx) =>
      sql`
        insert into threat (organization_id, id, name, risk_level)
        select current_organization(), gen_random_uuid(), 'row ' || n, 90
        from generate_series(1, ${mostCounted + 1}::int) n`.execute(trx),
    );
    database.statements();
    const { facets } = await withOrganization(database, organizationId, (trx) =>
      facetsOf(trx, threatSource, { field: ['risk'] }),
    );
    const values = facets['risk']?.values.map(({ value, count }) => `${value} ${count > 0}`);
    expect(values).toEqual(['high true', 'low false', 'medium false', 'N/A false']);
    const read = database.statements().find(({ text }) => text.includes('known.value'));
    expect(read?.rows).toBeLessThan(100);
  });

  it('of a long list read no rows for a range alone', async () => {
    const { facets, reads } = await facetsOfRows(mostCounted + 1, { field: ['createdAt'] });
    expect(reads).toEqual([]);
    const bound = expect.stringMatching(/^\d{4}-\d\d-\d\dT/u) as string;
    expect(facets).toEqual({
      createdAt: { values: [], more: false, min: bound, max: bound, isCapped: true },
    });
  });

  it('of a long list count matches among the newest rows, without reading on for more', async () => {
    const query = { field: ['status', 'severity'], sourceFile: ['old.json'], cvssScore: ['N/A'] };
    const { facets, reads } = await facetsOfRows(4 * mostCounted, query);
    expect(reads).toHaveLength(1);
    // The scan, its limit and the filter each count them.
    expect(reads[0]?.rows).toBeLessThan(4 * mostCounted);
    expect(facets['status']).toEqual({
      values: [
        { value: 'fixed', count: 0 },
        { value: 'open', count: 0 },
      ],
      more: false,
      isCapped: true,
    });
  });
});

/** Entries of the log, of which the oldest is of another person, area and object; the query's facets, and the rows that were read. */
async function facetsOfLog(count: number, query: Record<string, unknown>, role: Role = 'owner') {
  const organizationId = await makeOrganization(database);
  await withOrganization(database, organizationId, (trx) =>
    sql`
      insert into activity (organization_id, id, at, actor, account_id, action, noun, noun_id, name)
      select current_organization(), gen_random_uuid(), timestamptz '2026-01-01' + n * interval '1 minute',
        case n when 1 then 'Ben' else 'Ada' end, case n when 1 then ${ben}::uuid else ${ada}::uuid end,
        'report.uploaded', case n when 1 then 'jobs' else 'reports' end, case n when 1 then ${thing}::uuid end, 'x'
      from generate_series(1, ${count}::int) n`.execute(trx),
  );
  database.statements();
  const { facets } = await withOrganization(database, organizationId, (trx) =>
    facetsOf(trx, activitySource(role), query),
  );
  const read = database.statements().reduce((sum, { rows }) => sum + rows, 0);
  return { facets, read };
}

const [ada, ben, thing] = [newId(), newId(), newId()];

describe('facets of the activity log', () => {
  it('of more entries than are counted read the newest ones, and list the areas without one', async () => {
    const { facets, read } = await facetsOfLog(3 * mostCounted, {});
    // The scan, its limit and the counts of each field read them.
    expect(read).toBeLessThan(7 * mostCounted);
    expect(facets['noun']).toMatchObject({ more: false, isCapped: true });
    expect(facets['noun']?.values).toHaveLength(activityNouns.length);
    expect(facets['noun']?.values.slice(0, 2)).toEqual([
      { value: 'reports', count: 5000 },
      { value: 'accounts', count: 0 },
    ]);
    expect(facets['actorId']).toEqual({
      values: [{ value: ada, label: 'Ada', count: 5000 }],
      more: true,
      isCapped: true,
    });
    expect(facets['at']).toEqual({
      values: [],
      more: false,
      isCapped: true,
      min: '2026-01-01T00:01:00.000Z',
      max: '2026-01-21T20:00:00.000Z',
    });
  });

  it('list no areas that are for owners only for others', async () => {
    const { facets } = await facetsOfLog(mostCounted + 1, { field: ['noun'] }, 'viewer');
    const nouns = facets['noun']?.values.map(({ value }) => value);
    expect(nouns?.toSorted()).toEqual(
      activityNouns.filter((noun) => !(ownerNouns as readonly string[]).includes(noun)).toSorted(),
    );
  });

  it('of a long log under a filter of few entries are those of these entries, and of its own field the newest ones', async () => {
    const { facets, read } = await facetsOfLog(6 * mostCounted, {
      nounId: [thing],
      field: ['noun', 'nounId', 'at'],
    });
    expect(read).toBeLessThan(4 * mostCounted);
    expect(facets['noun']).toEqual({ values: [{ value: 'jobs', count: 1 }], more: false });
    expect(facets['at']).toMatchObject({ min: '2026-01-01T00:01:00.000Z', max: '2026-01-01T00:01:00.000Z' });
    expect(facets['nounId']).toMatchObject({ values: [{ value: 'N/A', count: 5000 }], isCapped: true });
  });

  it('of a long log find a person by name among older entries', async () => {
    const { facets } = await facetsOfLog(mostCounted + 1, { field: ['actorId'], facetSearch: 'ben' });
    expect(facets['actorId']).toEqual({
      values: [{ value: ben, label: 'Ben', count: 1 }],
      more: false,
      isCapped: true,
    });
  });
});

it('facets of more alerts than are counted read the newest ones', async () => {
  const organizationId = await makeOrganization(database);
  await withOrganization(database, organizationId, (trx) =>
    sql`
      insert into alert (organization_id, id, kind, severity, title, description, count, link, created_at)
      select current_organization(), gen_random_uuid(), 'new-critical',
        case n when 1 then 'low' else 'high' end, 'x', 'x', 1, '/', timestamptz '2026-01-01' + n * interval '1 minute'
      from generate_series(1, ${3 * mostCounted}::int) n`.execute(trx),
  );
  database.statements();
  const source = alertSource({ accountId: ada, owner: true });
  const { facets } = await withOrganization(database, organizationId, (trx) =>
    facetsOf(trx, source, { field: ['severity'] }),
  );
  expect(database.statements().reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(4 * mostCounted);
  expect(facets['severity']).toEqual({
    values: [
      { value: 'high', count: 5000 },
      { value: 'critical', count: 0 },
      { value: 'low', count: 0 },
      { value: 'medium', count: 0 },
    ],
    more: false,
    isCapped: true,
  });
});
