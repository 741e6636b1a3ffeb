import { withClient } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../new-id.ts';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { makeOrganization } from '../testing/organization.ts';
import { type OrganizationTransaction, withOrganization } from '../with-organization.ts';
import { deleteRecords } from '../testing/delete-records.ts';
import { deleteProjects } from './delete-assets.ts';
import { restoreRecords } from './restore-records.ts';
import { restoreProjects } from './restore-assets.ts';

let database: OpenDatabase;
let organizationId: string;
beforeAll(async () => {
  database = await openClone();
  organizationId = await makeOrganization(database);
});
afterAll(() => database.end());

const tables = ['vulnerability', 'threat', 'project', 'asset'] as const;
const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T> =>
  withOrganization(database, organizationId, work);

/** What a later migration may do: drop a column, add columns that are not null and one that is generated. */
async function migrateFurther(): Promise<void> {
  await withClient(database.clone.url, async (owner) => {
    for (const table of tables)
      await owner.query(`
        alter table ${table} drop column description, add weight integer not null default 7,
          add heavy boolean not null generated always as (weight > 5) stored,
          add tags text[] not null default array['new'], add seen timestamptz not null default now()`);
  });
}

it('a row that was deleted before a migration is restored with the defaults of the new columns', async () => {
  const [project, asset, vulnerability, threat] = [newId(), newId(), newId(), newId()];
  await inside(async (trx) => {
    await sql`insert into project (organization_id, id, name, start_date)
      values (current_organization(), ${project}, 'Harbour', '2026-01-01')`.execute(trx);
    await sql`insert into asset (organization_id, id, name, project_id, asset_type_id)
      values (current_organization(), ${asset}, 'Crane', ${project}, 1)`.execute(trx);
    await sql`insert into vulnerability (organization_id, id, name, severity)
      values (current_organization(), ${vulnerability}, 'Weak', 7.5)`.execute(trx);
    await sql`insert into threat (organization_id, id, name, is_active)
      values (current_organization(), ${threat}, 'Bad', false)`.execute(trx);
  });
  for (const table of ['vulnerability', 'threat'] as const)
    await inside((trx) => deleteRecords(trx, { table, where: sql`true`, by: null }));
  await inside((trx) => deleteProjects(trx, { ids: [project], by: null }));
  await migrateFurther();
  await inside((trx) => restoreRecords(trx, 'vulnerability', [vulnerability]));
  await inside((trx) => restoreRecords(trx, 'threat', [threat]));
  await inside((trx) => restoreProjects(trx, [project]));
  for (const table of tables) {
    const { rows } = await inside((trx) =>
      sql<object>`select weight, heavy, tags, seen > now() - interval '1 hour' as seen from ${sql.table(table)}`.execute(
        trx,
      ),
    );
    expect(rows).toEqual([{ weight: 7, heavy: true, tags: ['new'], seen: true }]);
  }
  // The deleted values are restored, not the defaults.
  const kept = await inside(async (trx) => ({
    severity: (await trx.selectFrom('vulnerability').select('severity').executeTakeFirstOrThrow()).severity,
    active: (await trx.selectFrom('threat').select('is_active').executeTakeFirstOrThrow()).is_active,
  }));
  expect(kept).toEqual({ severity: 7.5, active: false });
});
