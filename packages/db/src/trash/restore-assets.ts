import { mostReportSchedules } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { markRestored } from '../cwss/mark-restored.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { foreignKeyLock } from '../locks/row-lock.ts';
import { setOverviewCause } from '../overview/cause.ts';
import { setScoreContext } from '../records/score-context.ts';
import { restoredVersion } from '../records/set-columns.ts';
import { touchRelated } from '../records/update-many.ts';
import { nextReportAt } from '../report-schedule.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { DeletedRow } from './delete-records.ts';
import { keepLinks } from './keep-links.ts';
import { restoreRelations } from './restore-relations.ts';
import { trashRow } from './trash-row.ts';

/** Rows of one noun in the trash, by id. */
const trashOf = (noun: 'asset' | 'project', ids: readonly string[]): RawBuilder<unknown> => sql`
  deleted_record trash where trash.organization_id = current_organization() and trash.noun = ${noun}
    and trash.id = any (${ids}::uuid[])`;

/** Links of an asset in the trash, and where their other ends list it. */
const ends = [
  { list: 'vulnerabilities', noun: 'vulnerability', reverse: 'assets' },
  { list: 'threats', noun: 'threat', reverse: 'assets' },
  { list: 'children', noun: 'asset', reverse: 'parents' },
  { list: 'parents', noun: 'asset', reverse: 'children' },
] as const;

/**
 * Restores deleted assets with those relations whose other end still exists and that close no cycle with relations
 * made meanwhile; those whose other end is in the trash return with it. The records and parents of these relations
 * get a new version, so that a form without a relation does not remove it again, and keep the time of their last change.
 * An asset whose project was deleted stays in the trash.
 */
export async function restoreAssets(
  trx: OrganizationTransaction,
  ids: readonly string[],
  by: string | null = null,
): Promise<DeletedRow[]> {
  await lockAssets(trx);
  await setScoreContext(trx, { cause: 'restored', by });
  await setOverviewCause(trx, 'restored');
  const row = await trashRow(trx, 'asset');
  const { rows } = await sql<DeletedRow>`
    insert into asset (${row.columns})
    select ${row.values} from (select trash.data from ${trashOf('asset', ids)}) was
    cross join lateral ${row.of('was.data')}
    join project on project.organization_id = restored.organization_id and project.id = restored.project_id
    on conflict do nothing
    returning id, name`.execute(trx);
  const restored = rows.map(({ id }) => id);
  if (restored.length === 0) return rows;
  await restoreRecordLinks(trx, restored);
  await touchParents(trx, await restoreRelations(trx, trashOf('asset', restored)));
  for (const { list, noun, reverse } of ends)
    await keepLinks(trx, { restored: trashOf('asset', restored), list, noun, reverse });
  await sql`delete from ${trashOf('asset', restored)}`.execute(trx);
  return rows;
}

/** Writes a new version of assets whose relations have changed. */
async function touchParents(trx: OrganizationTransaction, parents: readonly string[]): Promise<void> {
  if (parents.length === 0) return;
  await sql`
    update asset r set ${restoredVersion}
    where r.organization_id = current_organization() and r.id = any (${parents}::uuid[])`.execute(trx);
}

/** A foreign key locks each related record, so several of them only under the lock of the assertions. */
async function restoreRecordLinks(trx: OrganizationTransaction, ids: readonly string[]): Promise<void> {
  const linked = await sql`
    select from ${trashOf('asset', ids)}
      and (trash.links -> 'threats' <> '[]' or trash.links -> 'vulnerabilities' <> '[]') limit 1`.execute(
    trx,
  );
  if (linked.rows.length === 0) return;
  await lockAssertions(trx);
  for (const [table, key] of [
    ['vulnerability', 'vulnerabilities'],
    ['threat', 'threats'],
  ] as const) {
    const link = sql.ref(`${table}_id`);
    const { rows } = await sql<{ id: string }>`
      with related as (
        insert into ${sql.table(`${table}_asset`)} (organization_id, ${link}, asset_id)
        select record.organization_id, record.id, was.id
        from (
          select trash.id, jsonb_array_elements_text(trash.links -> ${key})::uuid as record_id
          from ${trashOf('asset', ids)}
        ) was
        join ${sql.table(table)} record on record.organization_id = current_organization() and record.id = was.record_id
        on conflict do nothing
        returning ${link} as id)
      select distinct id from related`.execute(trx);
    await touchRelated(trx, { table, ids: rows.map(({ id }) => id), version: restoredVersion });
  }
  await markRestored(
    trx,
    sql`
      select distinct vulnerability_id from vulnerability_asset
      where organization_id = current_organization() and asset_id = any (${ids}::uuid[])`,
  );
}

/** Schedules of restored projects; not of members who left meanwhile, and at most as many as a member may have. */
async function restoreSchedules(trx: OrganizationTransaction, projects: readonly string[]): Promise<void> {
  await sql`
    insert into report_schedule (organization_id, id, account_id, project_id, every, next_at)
    select member.organization_id, was.id, was.account_id, was.project_id, was.every, ${nextReportAt}
    from (
      select project_id, (schedule ->> 'id')::uuid as id, (schedule ->> 'account')::uuid as account_id,
        schedule ->> 'every' as every,
        row_number() over (partition by schedule ->> 'account' order by schedule ->> 'id') as number
      from (
        select trash.id as project_id, jsonb_array_elements(trash.links -> 'schedules') as schedule
        from ${trashOf('project', projects)}
      ) trash
    ) was
    join membership member
      on member.organization_id = current_organization() and member.account_id = was.account_id
    where was.number + (
      select count(*) from report_schedule kept
      where kept.organization_id = current_organization() and kept.account_id = was.account_id
    ) <= ${mostReportSchedules}
    order by was.id ${foreignKeyLock('member')}
    on conflict do nothing`.execute(trx);
}

/**
 * Restores deleted projects with the assets that were deleted with them and are not restored yet, and with the schedules
 * of their risk reports.
 */
export async function restoreProjects(
  trx: OrganizationTransaction,
  ids: readonly string[],
  by: string | null = null,
): Promise<{ projects: DeletedRow[]; assets: DeletedRow[] }> {
  await lockAssets(trx);
  const row = await trashRow(trx, 'project');
  const { rows: projects } = await sql<DeletedRow>`
    insert into project (${row.columns})
    select ${row.values} from (select trash.data from ${trashOf('project', ids)}) was
    cross join lateral ${row.of('was.data')}
    on conflict do nothing
    returning id, name`.execute(trx);
  const restored = projects.map((project) => project.id);
  const { rows: deletedAssets } = await sql<{ id: string }>`
    select jsonb_array_elements_text(trash.links -> 'assets')::uuid as id
    from ${trashOf('project', restored)}`.execute(trx);
  const assets = await restoreAssets(
    trx,
    deletedAssets.map((asset) => asset.id),
    by,
  );
  await restoreSchedules(trx, restored);
  await sql`delete from ${trashOf('project', restored)}`.execute(trx);
  return { projects, assets };
}
