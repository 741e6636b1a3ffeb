import { type RawBuilder, sql } from 'kysely';
import { dropRestoredCrossings } from '../alerts/restored-crossings.ts';
import { withoutMarks } from '../cwss/related-scores.ts';
import { markRestored } from '../cwss/mark-restored.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { lockFilesAndAssertions } from '../locks/file-locks.ts';
import { setOverviewCause } from '../overview/cause.ts';
import type { RecordTableName } from '../reports/assertions.ts';
import { objectsOfRows, recordsSharingObjects } from '../reports/object-versions.ts';
import { refreshRecords } from '../reports/reported-values.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { DeletedRow } from './delete-records.ts';
import { keepLinks } from './keep-links.ts';
import { trashRow } from './trash-row.ts';

/**
 * Not a record of which a report was the only source: deleting a report deletes what was extracted from it. An extraction that
 * created the record again has deleted the factors that analysts set.
 */
const hasSource = sql`(
  trash.data ->> 'created_by' is not null or trash.data -> 'edited_fields' <> '[]'
  or exists (
    select from cwss_override o
    where o.organization_id = current_organization() and o.vulnerability_id = trash.id and trash.noun = 'vulnerability')
  or coalesce(trash.links -> 'files', '[]') = '[]'
  or exists (
    select from jsonb_array_elements_text(trash.links -> 'files') file
    join report_file on report_file.organization_id = current_organization() and report_file.id = file::uuid))`;

const withoutScores = JSON.stringify({
  cwss_score: null,
  applied_vignette: '',
  cwss_vignette_id: null,
  cwss_version: 0,
  cwss_stale: [],
  cwss_overrides: [],
});

/**
 * The columns of a deleted record. Those of a score that no longer exists are empty: an extraction that created the
 * vulnerability again has deleted its scores and factors.
 */
const dataOf: Record<RecordTableName, RawBuilder<unknown>> = {
  vulnerability: sql`trash.data || case
    when exists (
        select from cwss_score s
        where s.organization_id = current_organization() and s.vulnerability_id = trash.id)
      or exists (
        select from cwss_override o
        where o.organization_id = current_organization() and o.vulnerability_id = trash.id)
    then '{}' else ${withoutScores}::jsonb end`,
  threat: sql`trash.data`,
};

/**
 * Restores deleted vulnerabilities or threats with those relations and assertions whose other end still exists;
 * a relation to an asset in the trash returns with it. They have the values of the reports that exist now. A record whose key was extracted again meanwhile, or whose reports
 * were all deleted, stays in the trash unless a person edited it. @returns the restored ones
 */
export async function restoreRecords(
  trx: OrganizationTransaction,
  table: RecordTableName,
  ids: string[],
): Promise<DeletedRow[]> {
  const trashOf = (wanted: string[]) => sql`
    deleted_record trash where trash.organization_id = current_organization() and trash.noun = ${table}
      and trash.id = any (${wanted}::uuid[])`;
  await lockAssets(trx);
  await lockFilesAndAssertions(
    trx,
    sql<{
      id: string;
    }>`select distinct jsonb_array_elements_text(trash.links -> 'files')::uuid as id from ${trashOf(ids)}`,
  );
  await setOverviewCause(trx, 'restored');
  const row = await trashRow(trx, table);
  const { rows } = await sql<DeletedRow>`
    insert into ${sql.table(table)} (${row.columns})
    select ${row.values} from (select ${dataOf[table]} as data from ${trashOf(ids)} and ${hasSource}) deleted
    cross join lateral ${row.of('deleted.data')}
    on conflict do nothing
    returning id, name`.execute(trx);
  const restored = rows.map(({ id }) => id);
  if (restored.length === 0) return rows;
  await withoutMarks(trx, () => relateToAssets(trx, table, trashOf(restored)));
  await dropRestoredCrossings(trx, trashOf(restored));
  const reverse = table === 'threat' ? 'threats' : 'vulnerabilities';
  await keepLinks(trx, { restored: trashOf(restored), list: 'assets', noun: 'asset', reverse });
  await assertAgain(trx, table, trashOf(restored));
  await writeSourceFile(trx, table, restored);
  // Reports may have been added, replaced or deleted since.
  const objects = objectsOfRows(table, sql`r.${sql.ref(`${table}_id`)} = any (${restored}::uuid[])`);
  const { others } = await recordsSharingObjects(trx, { table, objects, count: restored.length, files: [] });
  const reported = await reportedIds(trx, table, restored);
  await refreshRecords(trx, { table, ids: [...new Set([...reported, ...others])] });
  if (table === 'vulnerability') await markRestored(trx, restored);
  await sql`delete from ${trashOf(restored)}`.execute(trx);
  return rows;
}

/** Those that reports brought. */
async function reportedIds(
  trx: OrganizationTransaction,
  table: RecordTableName,
  ids: string[],
): Promise<string[]> {
  const rows = await trx
    .selectFrom(table)
    .select('id')
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .where('key', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

type Trash = ReturnType<typeof sql>;

async function relateToAssets(
  trx: OrganizationTransaction,
  table: RecordTableName,
  trash: Trash,
): Promise<void> {
  await sql`
    insert into ${sql.table(`${table}_asset`)} (organization_id, ${sql.ref(`${table}_id`)}, asset_id)
    select asset.organization_id, was.id, asset.id
    from (select trash.id, jsonb_array_elements_text(trash.links -> 'assets')::uuid as asset_id from ${trash}) was
    join asset on asset.organization_id = current_organization() and asset.id = was.asset_id
    on conflict do nothing`.execute(trx);
}

/**
 * Links the rows of the files that asserted the record; a replaced file may have dropped it. A row that withdraws it is
 * linked too, as it was before the deletion. `offset 0` has each row looked up by its whole key; the planner expects few
 * rows of a file and would join all of them with each record.
 */
async function assertAgain(
  trx: OrganizationTransaction,
  table: RecordTableName,
  trash: Trash,
): Promise<void> {
  const link = sql.ref(`${table}_id`);
  await sql`
    update report_record source set ${link} = wanted.id
    from (
      select record.id, found.ctid
      from (select trash.id, jsonb_array_elements_text(trash.links -> 'files')::uuid as file_id from ${trash}) was
      join ${sql.table(table)} record on record.organization_id = current_organization() and record.id = was.id
      cross join lateral (
        select r.ctid from report_record r
        where r.organization_id = current_organization() and r.file_id = was.file_id and r.kind = ${table}
          and r.key = record.key offset 0
      ) found
    ) wanted
    where source.organization_id = current_organization() and source.ctid = wanted.ctid`.execute(trx);
}

/** Files may have been deleted, added or renamed since. */
async function writeSourceFile(
  trx: OrganizationTransaction,
  table: RecordTableName,
  ids: string[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} record set source_file = coalesce((
      select file.name from report_record source
      join report_file file on file.organization_id = source.organization_id and file.id = source.file_id
      where source.organization_id = current_organization() and source.${sql.ref(`${table}_id`)} = record.id
      order by file.uploaded_at desc, file.id desc limit 1), '')
    where record.organization_id = current_organization() and record.id = any (${ids}::uuid[])
      and record.key is not null`.execute(trx);
}
