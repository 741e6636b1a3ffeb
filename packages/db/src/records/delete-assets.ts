import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { lockAssets } from './lock-assets.ts';

/** What went, by the name that the log calls it. */
export interface Gone {
  id: string;
  name: string;
}

interface Deletion {
  ids: readonly string[];
  by: string | null;
}

/** Everything that a relation of the asset `r` names on its other end, by table. */
const links = sql`jsonb_build_object(
  'threats', array(select threat_id from threat_asset where organization_id = r.organization_id and asset_id = r.id),
  'vulnerabilities', array(select vulnerability_id from vulnerability_asset where organization_id = r.organization_id and asset_id = r.id),
  'children', array(select related_id from asset_relation where organization_id = r.organization_id and asset_id = r.id),
  'parents', array(select asset_id from asset_relation where organization_id = r.organization_id and related_id = r.id))`;

/**
 * Deletes assets and keeps them, with what they were related to, where they can be brought back from. Threats and
 * vulnerabilities stay and lose the relation.
 */
export async function deleteAssets(trx: OrganizationTransaction, { ids, by }: Deletion): Promise<Gone[]> {
  await lockAssets(trx);
  return binAssets(trx, { where: sql`r.id = any (${ids}::uuid[])`, by });
}

async function binAssets(
  trx: OrganizationTransaction,
  { where, by }: { where: RawBuilder<boolean>; by: string | null },
): Promise<Gone[]> {
  await sql`
    insert into deleted_record (organization_id, noun, id, data, links, deleted_by)
    select r.organization_id, 'asset', r.id, to_jsonb(r), ${links}, ${by}::uuid
    from asset r where r.organization_id = current_organization() and ${where}`.execute(trx);
  const { rows } = await sql<Gone>`
    delete from asset r where r.organization_id = current_organization() and ${where}
    returning r.id, r.name`.execute(trx);
  return rows;
}

/** Deletes projects with their assets (contract, Deleting a project); both can be brought back together. */
export async function deleteProjects(
  trx: OrganizationTransaction,
  { ids, by }: Deletion,
): Promise<{ projects: Gone[]; assets: Gone[] }> {
  await lockAssets(trx);
  await sql`
    insert into deleted_record (organization_id, noun, id, data, links, deleted_by)
    select r.organization_id, 'project', r.id, to_jsonb(r), jsonb_build_object(
      'assets', array(select id from asset where organization_id = r.organization_id and project_id = r.id)), ${by}::uuid
    from project r where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])`.execute(
    trx,
  );
  const assets = await binAssets(trx, { where: sql`r.project_id = any (${ids}::uuid[])`, by });
  const { rows: projects } = await sql<Gone>`
    delete from project r where r.organization_id = current_organization() and r.id = any (${ids}::uuid[])
    returning r.id, r.name`.execute(trx);
  return { projects, assets };
}
