import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { withOrganization } from '../with-organization.ts';
import { activitySource } from './activity.ts';
import { listPage, type PageInput } from './page.ts';

/** Assets of the project, each with one entry; entries of others before or after them. */
const size = 6000;

let database: RecordedDatabase;
let admin: Client;
beforeAll(async () => {
  database = await openRecorded();
  admin = new Client({ connectionString: database.clone.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.end();
});

/** An organization with a project whose entries are older or newer than those of others. */
async function fill(age: 'older' | 'newer') {
  const organizationId = await makeOrganization(database);
  const project = newId();
  const asset = `md5('${organizationId} ' || n)::uuid`;
  const entries = (nounId: string, start: string) => `
    insert into activity (organization_id, id, at, action, noun, noun_id, name, via)
      select '${organizationId}', gen_random_uuid(), timestamptz '${start}' + n / 2 * interval '1 second', 'asset.updated',
        'assets', ${nounId}, 'Crane', 'session' from generate_series(1, ${size}) n;`;
  await admin.query(`
    set session_replication_role = replica;
    insert into project (organization_id, id, name, start_date) values ('${organizationId}', '${project}', 'Port', now());
    insert into asset (organization_id, id, project_id, name, asset_type_id)
      select '${organizationId}', ${asset}, '${project}', 'Crane ' || n, 1 from generate_series(1, ${size}) n;
    ${entries(asset, '2026-02-01')}
    ${entries('gen_random_uuid()', age === 'older' ? '2026-03-01' : '2026-01-01')}
    insert into activity (organization_id, id, at, action, noun, noun_id, name, via)
      values ('${organizationId}', gen_random_uuid(), '2026-04-01', 'project.updated', 'projects', '${project}', 'Port', 'session'),
        ('${organizationId}', gen_random_uuid(), '2026-04-01', 'account.locked', 'accounts', '${project}', 'Port', 'session')`);
  await admin.query('vacuum analyze');
  const all = { page: 1, pageSize: 500, sort: '-at', projectId: project };
  const read = (query: Partial<PageInput> & { action?: string[] } = {}) =>
    withOrganization(database, organizationId, (trx) =>
      listPage<{ id: string; at: Date; noun: string }>(trx, activitySource('viewer'), { ...all, ...query }),
    );
  return { read };
}

describe.each(['older', 'newer'] as const)('the entries of a project that are %s than others', (age) => {
  let read: Awaited<ReturnType<typeof fill>>['read'];
  beforeAll(async () => {
    ({ read } = await fill(age));
  });

  it('are all listed once, newest first, with their exact number, without those that the reader may not see', async () => {
    const ids: string[] = [];
    const times: number[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { rows, nextCursor, total } = await read({ cursor });
      expect(total).toBe(size + 1);
      ids.push(...rows.map(({ id }) => id));
      times.push(...rows.map(({ at }) => at.getTime()));
      cursor = nextCursor;
    }
    expect(new Set(ids).size).toBe(size + 1);
    expect(ids).toHaveLength(size + 1);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it('are the same by page number and under another filter', async () => {
    const [second, all] = [await read({ page: 2, pageSize: 10 }), await read({ pageSize: 20 })];
    expect(second.rows).toEqual(all.rows.slice(10));
    const changes = await read({ pageSize: 5, action: ['project.updated'] });
    expect([changes.total, changes.rows.map(({ noun }) => noun)]).toEqual([1, ['projects']]);
  });
});

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Assets that the nodes of a plan read. */
const assetsRead = (node: PlanNode): number =>
  (node['Relation Name'] === 'asset'
    ? ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0)
    : 0) + (node.Plans ?? []).reduce((sum, plan) => sum + assetsRead(plan), 0);

it('the newest entries of a project are found without reading its other assets', async () => {
  const { read } = await fill('newer');
  // Only the first page counts all entries.
  const { nextCursor } = await read({ pageSize: 10 });
  database.statements();
  const { rows } = await read({ pageSize: 10, cursor: nextCursor ?? '' });
  const work = database.statements().reduce((sum, { plan }) => sum + assetsRead(plan), 0);
  expect(rows).toHaveLength(10);
  expect(work).toBeGreaterThan(10);
  expect(work).toBeLessThan(100);
});
