import { mostReportSchedules } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { selectRestoredMarks } from '../cwss/mark-restored.ts';
import { lockAssertions } from '../locks/file-locks.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { foreignKeyLock } from '../locks/row-lock.ts';
import { setOverviewCause } from '../overview/cause.ts';
import { joiningByHash, planForeignKeysAgain } from '../query-plans.ts';
import { setScoreContext } from '../records/score-context.ts';
import { restoredVersion } from '../records/set-columns.ts';
import { touchRelated } from '../records/update-many.ts';
import type { RecordTableName } from '../reports/assertions.ts';
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

/** Tables of records that assets are related to, and where an asset in the trash lists them. */
const linkedTables = [
  ['vulnerability', 'vulnerabilities'],
  ['threat', 'threats'],
] as const satisfies readonly (readonly [RecordTableName, string])[];

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
  const isLinked = await selectRecordLinks(trx, ids);
  const count = (noun: RecordTableName) =>
    isLinked
      ? sql`(select count(*)::int from record_link l where l.noun = ${noun} and l.asset_id = restored.id)`
      : sql`0`;
  const row = await trashRow(trx, 'asset');
  const { rows } = await sql<DeletedRow>`
    insert into asset (${row.columns}, vulnerability_count, threat_count)
    select ${row.values}, ${count('vulnerability')}, ${count('threat')}
    from (select trash.data from ${trashOf('asset', ids)}) was
    cross join lateral ${row.of('was.data')}
    join project on project.organization_id = restored.organization_id and project.id = restored.project_id
    on conflict do nothing
    returning id, name`.execute(trx);
  const restored = rows.map(({ id }) => id);
  if (restored.length === 0) return rows;
  if (isLinked) await restoreRecordLinks(trx, restored);
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

/**
 * Selects the former relations of assets in the trash to records that exist, in the temporary table `record_link`. A
 * foreign key locks each of these records when they are related, so several of them only under the lock of the
 * assertions, which also keeps them from being deleted.
 * @returns whether there may be any; there is no table otherwise
 */
async function selectRecordLinks(trx: OrganizationTransaction, ids: readonly string[]): Promise<boolean> {
  const linked = await sql`
    select from ${trashOf('asset', ids)}
      and (trash.links -> 'threats' <> '[]' or trash.links -> 'vulnerabilities' <> '[]') limit 1`.execute(
    trx,
  );
  if (linked.rows.length === 0) return false;
  await lockAssertions(trx);
  await sql`drop table if exists record_link`.execute(trx);
  // Each record is looked up once, by its key (`offset 0`), also when many assets are related to it.
  const selects = linkedTables.map(
    ([table, list]) => sql`
      (with was as materialized (
        select distinct id as asset_id, jsonb_array_elements_text(list)::uuid as record_id, is_critical
        from (
          select trash.id, trash.links -> ${list} as list,
            coalesce((trash.data ->> 'criticality')::int >= 4, false) as is_critical
          from ${trashOf('asset', ids)} offset 0
        ) was
      ), here as materialized (
        select id from (select distinct record_id as id from was) records
        where exists (
          select from ${sql.table(table)} record
          where record.organization_id = current_organization() and record.id = records.id offset 0)
      )
      select ${table} as noun, was.record_id, was.asset_id, was.is_critical
      from was join here on here.id = was.record_id)`,
  );
  // The planner expects few rows of the lists of an asset.
  await joiningByHash(trx, () =>
    sql`create temporary table record_link on commit drop as ${sql.join(selects, sql` union all `)}`.execute(
      trx,
    ),
  );
  await sql`create index on record_link (asset_id, noun)`.execute(trx);
  await sql`create index on record_link (record_id, noun)`.execute(trx);
  await sql`analyze record_link`.execute(trx);
  return true;
}

/**
 * Relates restored assets, which count the relations already. Each record is written once, with its counts, the mark of
 * its score and its new version, instead of once by the triggers and once for the version.
 */
async function restoreRecordLinks(trx: OrganizationTransaction, ids: readonly string[]): Promise<void> {
  await sql`delete from record_link where not asset_id = any (${ids}::uuid[])`.execute(trx);
  const { rows: links } = await sql<{
    count: number;
  }>`select count(*)::int as count from record_link`.execute(trx);
  const count = links[0]?.count ?? 0;
  await planForeignKeysAgain(trx, count);
  await sql`select set_config('app.relations_counted', 'on', true)`.execute(trx);
  for (const [table] of linkedTables)
    await sql`
      insert into ${sql.table(`${table}_asset`)} (organization_id, ${sql.ref(`${table}_id`)}, asset_id)
      select current_organization(), record_id, asset_id from record_link where noun = ${table}
      order by record_id, asset_id`.execute(trx);
  await sql`select set_config('app.relations_counted', '', true)`.execute(trx);
  const vulnerabilities = sql<{ id: string }>`
    select distinct record_id from record_link where noun = 'vulnerability'`;
  await selectRestoredMarks(trx, { ids: vulnerabilities, count });
  for (const [table] of linkedTables) {
    const { rows } = await sql<{ id: string }>`
      select distinct record_id as id from record_link where noun = ${table}`.execute(trx);
    const version = table === 'vulnerability' ? sql`${restoredVersion}, ${countedAssets}` : restoredVersion;
    await touchRelated(trx, { table, ids: rows.map(({ id }) => id), version });
  }
}

const linkedAssets = sql`select count(*)::int from record_link l where l.noun = 'vulnerability' and l.record_id = r.id`;

/**
 * The counts and the mark of the vulnerability `r`, as the triggers of related assets write them. A score is marked in the same
 * version of the row: it may be current again.
 */
const countedAssets = sql`
  asset_count = r.asset_count + (${linkedAssets}),
  critical_asset_count = r.critical_asset_count + (${linkedAssets} and l.is_critical),
  cwss_inputs = r.cwss_inputs + 1,
  cwss_stale = coalesce((select stale from restored_mark where restored_mark.id = r.id),
    cwss_stale_with(r.cwss_score, r.cwss_stale, '{assets}'))`;

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
