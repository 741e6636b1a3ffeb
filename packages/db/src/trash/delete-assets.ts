import { type RawBuilder, sql } from 'kysely';
import { batchesOf } from '../rows-in-batches.ts';
import { leaveAssets, lockScoresOfAssets, withoutMarks } from '../cwss/related-scores.ts';
import { lockAssets } from '../locks/asset-locks.ts';
import { deletedProjectsLock } from '../locks/row-lock.ts';
import { planForeignKeysAgain } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import type { DeletedRow, OnDeleted } from './delete-records.ts';

interface Deletion {
  /** A condition on the row `r` of the table. */
  where: RawBuilder<boolean>;
  by: string | null;
}

type Chosen = Pick<Deletion, 'by'> & { ids: readonly string[] };

const among = (ids: readonly string[]) => sql<boolean>`r.id = any (${ids}::uuid[])`;

/** The ids that relations of the asset `r` refer to, by kind of relation. */
const links = sql`jsonb_build_object(
  'threats', array(select threat_id from threat_asset where organization_id = r.organization_id and asset_id = r.id),
  'vulnerabilities', array(select vulnerability_id from vulnerability_asset where organization_id = r.organization_id and asset_id = r.id),
  'children', array(select related_id from asset_relation where organization_id = r.organization_id and asset_id = r.id),
  'parents', array(select asset_id from asset_relation where organization_id = r.organization_id and related_id = r.id))`;

/** Deletes one batch of assets. @returns the deleted ones */
export async function deleteAssets(trx: OrganizationTransaction, { ids, by }: Chosen): Promise<DeletedRow[]> {
  const deleted: DeletedRow[] = [];
  await deleteAssetsInBatches(trx, { where: among(ids), by }, (rows) => void deleted.push(...rows));
  return deleted;
}

/**
 * Moves any number of assets to the trash, with their relations. Threats and vulnerabilities stay and lose the
 * relation.
 */
export async function deleteAssetsInBatches(
  trx: OrganizationTransaction,
  { where, by }: Deletion,
  onDeleted: OnDeleted,
): Promise<void> {
  await lockAssets(trx);
  await lockScoresOfAssets(trx, where);
  // All of them before the first is deleted: a deletion removes relations of assets that are still to be copied.
  await sql`
    insert into deleted_record (organization_id, noun, id, data, links, deleted_by)
    select r.organization_id, 'asset', r.id, to_jsonb(r), ${links}, ${by}::uuid
    from asset r where r.organization_id = current_organization() and ${where}`.execute(trx);
  // Selected by their copies: the condition may depend on relations that the first batch removes. Looked up by key
  // (`offset 0`), because the planner expects one copy.
  const copied = sql<DeletedRow>`
    select r.id, r.name from deleted_record trash
    cross join lateral (
      select id, name from asset where organization_id = current_organization() and id = trash.id offset 0
    ) r
    where trash.organization_id = current_organization() and trash.noun = 'asset' and trash.deleted_at = now()
    order by trash.id`;
  for await (const batch of batchesOf(trx, copied)) {
    const ids = batch.map((row) => row.id);
    await leaveAssets(trx, ids);
    await planForeignKeysAgain(trx, ids.length);
    await withoutMarks(trx, () =>
      sql`delete from asset r where r.organization_id = current_organization() and ${among(ids)}`.execute(
        trx,
      ),
    );
    onDeleted(batch);
  }
}

/** The risk reports that members get by mail of the project `r`, which its deletion ends. */
const schedules = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'account', account_id, 'every', every)), '[]')
  from report_schedule where organization_id = r.organization_id and project_id = r.id)`;

/** Deletes projects with their assets (contract, Deleting a project); both can be restored together. */
export async function deleteProjects(
  trx: OrganizationTransaction,
  { ids, by }: Chosen,
): Promise<{ projects: DeletedRow[]; assets: DeletedRow[] }> {
  const assets: DeletedRow[] = [];
  const projects = await deleteProjectsInBatches(trx, { ids, by }, (rows) => void assets.push(...rows));
  return { projects, assets };
}

/**
 * The same with any number of assets: an inventory import writes thousands of them into one project.
 * @param onDeleted called with each batch of deleted assets
 */
export async function deleteProjectsInBatches(
  trx: OrganizationTransaction,
  { ids, by }: Chosen,
  onDeleted: OnDeleted,
): Promise<DeletedRow[]> {
  await lockAssets(trx);
  // A schedule that is saved after its project was copied would be lost: it waits, and finds no project.
  await sql`
    select from project r where r.organization_id = current_organization() and ${among(ids)}
    order by r.id ${deletedProjectsLock(trx)}`.execute(trx);
  await sql`
    insert into deleted_record (organization_id, noun, id, data, links, deleted_by)
    select r.organization_id, 'project', r.id, to_jsonb(r), jsonb_build_object(
      'assets', array(select id from asset where organization_id = r.organization_id and project_id = r.id),
      'schedules', ${schedules}), ${by}::uuid
    from project r where r.organization_id = current_organization() and ${among(ids)}`.execute(trx);
  await deleteAssetsInBatches(trx, { where: sql`r.project_id = any (${ids}::uuid[])`, by }, onDeleted);
  const { rows } = await sql<DeletedRow>`
    delete from project r where r.organization_id = current_organization() and ${among(ids)}
    returning r.id, r.name`.execute(trx);
  return rows;
}
