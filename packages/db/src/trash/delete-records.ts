import { type RawBuilder, sql } from 'kysely';
import { batchesOf } from '../rows-in-batches.ts';
import { withoutMarks } from '../cwss/related-scores.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { lockFilesAndAssertions } from '../locks/file-locks.ts';
import { manyRecordsLock } from '../locks/row-lock.ts';
import type { RecordTableName } from '../reports/assertions.ts';
import { assetsOf } from '../records/related-assets.ts';
import { setScoreContext } from '../records/score-context.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

interface Deletion {
  table: RecordTableName;
  /** A condition on the row `r`. */
  where: RawBuilder<boolean>;
  by: string | null;
}

/** A row that was moved to the trash or restored from it, with its name for the activity log. */
export interface DeletedRow {
  id: string;
  name: string;
}

/** Called with each batch of deleted rows; throwing aborts the deletion. */
export type OnDeleted = (rows: readonly DeletedRow[]) => void;

/**
 * Moves any number of vulnerabilities or threats to the trash, with their relations and assertions.
 * @returns the ids of the assets that they were related to
 */
export async function deleteRecordsInBatches(
  trx: OrganizationTransaction,
  { table, where, by }: Deletion,
  onDeleted: OnDeleted,
): Promise<string[]> {
  const from = sql.table(table);
  await lockAssets(trx);
  await setScoreContext(trx, { by });
  await lockFilesAndAssertions(
    trx,
    sql<{ id: string }>`
      select distinct source.file_id as id from report_record source
      where source.organization_id = current_organization() and source.kind = ${table}
        and source.${sql.ref(`${table}_id`)} in (select r.id from ${from} r where ${where})`,
  );
  const chosen = sql<DeletedRow>`
    select r.id, r.name from ${from} r where ${where} order by r.key, r.id
    ${manyRecordsLock(trx, 'update')}`;
  const assets = new Set<string>();
  for await (const batch of batchesOf(trx, chosen)) {
    const ids = batch.map((row) => row.id);
    for (const asset of await assetsOf(trx, { table, ids })) assets.add(asset);
    await moveToTrash(trx, { table, ids, by });
    onDeleted(batch);
  }
  return [...assets];
}

async function moveToTrash(
  trx: OrganizationTransaction,
  { table, ids, by }: Pick<Deletion, 'table' | 'by'> & { ids: string[] },
): Promise<void> {
  const from = sql.table(table);
  const link = sql.ref(`${table}_id`);
  const chosen = sql`r.organization_id = current_organization() and r.id = any (${ids}::uuid[])`;
  // A second extraction of the same reading creates a deleted record again under its id: the last deletion counts.
  await sql`
    delete from deleted_record trash
    where trash.organization_id = current_organization() and trash.noun = ${table}
      and trash.id = any (${ids}::uuid[])`.execute(trx);
  await sql`
    insert into deleted_record (organization_id, noun, id, data, links, deleted_by)
    select r.organization_id, ${table}, r.id, to_jsonb(r), jsonb_build_object(
        'assets', coalesce((
          select jsonb_agg(related.asset_id) from ${sql.table(`${table}_asset`)} related
          where related.organization_id = r.organization_id and related.${link} = r.id), '[]'),
        'files', coalesce((
          select jsonb_agg(source.file_id) from report_record source
          where source.organization_id = r.organization_id and source.${link} = r.id), '[]')), ${by}::uuid
    from ${from} r where ${chosen}`.execute(trx);
  // One statement, because a trigger per statement keeps the counts of the files; the foreign key would run one a row.
  await sql`
    update report_record source set ${link} = null
    where source.organization_id = current_organization() and source.${link} = any (${ids}::uuid[])`.execute(
    trx,
  );
  await withoutMarks(trx, () => sql`delete from ${from} r where ${chosen}`.execute(trx));
}
