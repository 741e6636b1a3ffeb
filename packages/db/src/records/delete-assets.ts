import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { lockAssets } from './lock-assets.ts';
import { turnsOf } from './turns-of.ts';

/** What went, by the name that the log calls it. */
export interface Gone {
  id: string;
  name: string;
}

interface Deletion {
  /** Which, in terms of the row `r` of the table. */
  where: RawBuilder<boolean>;
  by: string | null;
}

type Chosen = Pick<Deletion, 'by'> & { ids: readonly string[] };

/** Told of those that are gone, turn by turn; what it throws ends the deletion. */
type OnGone = (gone: readonly Gone[]) => void;

const among = (ids: readonly string[]) => sql<boolean>`r.id = any (${ids}::uuid[])`;

/** Everything that a relation of the asset `r` names on its other end, by table. */
const links = sql`jsonb_build_object(
  'threats', array(select threat_id from threat_asset where organization_id = r.organization_id and asset_id = r.id),
  'vulnerabilities', array(select vulnerability_id from vulnerability_asset where organization_id = r.organization_id and asset_id = r.id),
  'children', array(select related_id from asset_relation where organization_id = r.organization_id and asset_id = r.id),
  'parents', array(select asset_id from asset_relation where organization_id = r.organization_id and related_id = r.id))`;

/** Deletes as many as fit in a hand. @returns those that are gone */
export async function deleteAssets(trx: OrganizationTransaction, { ids, by }: Chosen): Promise<Gone[]> {
  const all: Gone[] = [];
  await deleteAssetsInTurns(trx, { where: among(ids), by }, (gone) => void all.push(...gone));
  return all;
}

/**
 * Deletes assets, however many, and keeps them, with what they were related to, where they can be brought back from.
 * Threats and vulnerabilities stay and lose the relation.
 */
export async function deleteAssetsInTurns(
  trx: OrganizationTransaction,
  { where, by }: Deletion,
  onGone: OnGone,
): Promise<void> {
  await lockAssets(trx);
  // All are kept before any goes: with it would go the relations of those that are still to be kept.
  await sql`
    insert into deleted_record (organization_id, noun, id, data, links, deleted_by)
    select r.organization_id, 'asset', r.id, to_jsonb(r), ${links}, ${by}::uuid
    from asset r where r.organization_id = current_organization() and ${where}`.execute(trx);
  // By what this transaction put into the bin: what the assets were chosen by may hang on those that are gone.
  const kept = sql<Gone>`
    select r.id, r.name from asset r join deleted_record bin
      on bin.organization_id = r.organization_id and bin.noun = 'asset' and bin.id = r.id and bin.deleted_at = now()
    where r.organization_id = current_organization() order by r.id`;
  for await (const turn of turnsOf(trx, kept)) {
    const ids = turn.map((row) => row.id);
    await sql`
      delete from asset r where r.organization_id = current_organization() and ${among(ids)}`.execute(trx);
    onGone(turn);
  }
}

/** Deletes projects with their assets (contract, Deleting a project); both can be brought back together. */
export async function deleteProjects(
  trx: OrganizationTransaction,
  { ids, by }: Chosen,
): Promise<{ projects: Gone[]; assets: Gone[] }> {
  const assets: Gone[] = [];
  const projects = await deleteProjectsInTurns(trx, { ids, by }, (gone) => void assets.push(...gone));
  return { projects, assets };
}

/**
 * The same with assets however many: a project is a piece of somebody's work, of assets an inventory writes thousands.
 * @param onGone told of the assets that are gone, turn by turn
 */
export async function deleteProjectsInTurns(
  trx: OrganizationTransaction,
  { ids, by }: Chosen,
  onGone: OnGone,
): Promise<Gone[]> {
  await lockAssets(trx);
  await sql`
    insert into deleted_record (organization_id, noun, id, data, links, deleted_by)
    select r.organization_id, 'project', r.id, to_jsonb(r), jsonb_build_object(
      'assets', array(select id from asset where organization_id = r.organization_id and project_id = r.id)), ${by}::uuid
    from project r where r.organization_id = current_organization() and ${among(ids)}`.execute(trx);
  await deleteAssetsInTurns(trx, { where: sql`r.project_id = any (${ids}::uuid[])`, by }, onGone);
  const { rows } = await sql<Gone>`
    delete from project r where r.organization_id = current_organization() and ${among(ids)}
    returning r.id, r.name`.execute(trx);
  return rows;
}
