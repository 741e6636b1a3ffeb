import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { openRecorded, type RecordedDatabase } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { selected } from './conditions.ts';
import { listPage } from './page.ts';
import { vulnerabilitySource } from './vulnerabilities.ts';

const [assets, related, unrelated] = [100, 30, 300];
const projectId = newId();

let database: RecordedDatabase;
let organizationId: string;
let admin: Client;
const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);

beforeAll(async () => {
  database = await openRecorded();
  admin = new Client({ connectionString: database.clone.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.end();
});

/** A project whose assets are all related to the same vulnerabilities, among others. */
beforeEach(async () => {
  organizationId = await makeOrganization(database);
  await inside(async (trx) => {
    await sql`
      insert into project (organization_id, id, name, start_date)
      values (current_organization(), ${projectId}, 'Harbour', '2026-01-01')`.execute(trx);
    await sql`
      insert into asset (organization_id, id, project_id, name, asset_type_id)
      select current_organization(), gen_random_uuid(), ${projectId}, 'Crane ' || n, 1
      from generate_series(1, ${assets}::int) n`.execute(trx);
    await sql`
      insert into vulnerability (organization_id, id, name)
      select current_organization(), gen_random_uuid(), case when n <= ${related} then 'Related ' else 'Other ' end || n
      from generate_series(1, ${related + unrelated}::int) n`.execute(trx);
    await sql`
      insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
      select v.organization_id, v.id, a.id from vulnerability v cross join asset a
      where v.organization_id = current_organization() and a.organization_id = v.organization_id
        and v.name like 'Related %'`.execute(trx);
  });
  await admin.query('analyze');
});

describe('the vulnerabilities of a project', () => {
  it('are listed and counted without a comparison of each row with each relation', async () => {
    const query = { projectId, sort: '-createdAt', page: 1, pageSize: 20 };
    database.statements();
    const page = await inside((trx) =>
      listPage<{ id: string; name: string }>(trx, vulnerabilitySource, query),
    );
    expect(page.total).toBe(related);
    expect(page.rows.every(({ name }) => name.startsWith('Related '))).toBe(true);
    const [most] = database.statements();
    expect(most?.rows).toBeLessThan(10 * (assets * related + unrelated));
  });

  it('are selected without a comparison of each row with each relation', async () => {
    database.statements();
    const { rows } = await inside((trx) =>
      sql<{ count: number }>`
        select count(*)::int as count from ${sql.raw(vulnerabilitySource.from)}
        where ${selected(vulnerabilitySource, { filter: { projectId } })}`.execute(trx),
    );
    expect(rows).toEqual([{ count: related }]);
    const [most] = database.statements();
    expect(most?.rows).toBeLessThan(10 * (assets * related + unrelated));
  });

  it('are tested row by row where another filter leaves fewer rows', async () => {
    const [otherProject, assetId] = [newId(), newId()];
    await inside(async (trx) => {
      await sql`
        insert into project (organization_id, id, name, start_date)
        values (current_organization(), ${otherProject}, 'Offices', '2026-01-01')`.execute(trx);
      await sql`
        insert into asset (organization_id, id, project_id, name, asset_type_id)
        values (current_organization(), ${assetId}, ${otherProject}, 'Office', 1)`.execute(trx);
      await sql`
        insert into vulnerability_asset (organization_id, vulnerability_id, asset_id)
        select v.organization_id, v.id, ${assetId} from vulnerability v
        where v.organization_id = current_organization() and v.name in ('Related 1', 'Related 2', 'Other 31')`.execute(
        trx,
      );
    });
    const names = async (filter: object) => {
      const query = { ...filter, sort: 'name', page: 1, pageSize: 20 };
      const page = await inside((trx) =>
        listPage<{ id: string; name: string }>(trx, vulnerabilitySource, query),
      );
      return page.rows.map(({ name }) => name);
    };
    expect(await names({ assetId })).toEqual(['Other 31', 'Related 1', 'Related 2']);
    expect(await names({ assetId, projectId })).toEqual(['Related 1', 'Related 2']);
    expect(await names({ assetId, projectId: otherProject })).toEqual(['Other 31', 'Related 1', 'Related 2']);
  });
});
