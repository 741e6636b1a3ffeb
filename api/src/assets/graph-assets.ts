import type { BlastRadius, ProjectMap } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';

/** An asset as graphs show it. */
type GraphAsset = ProjectMap['nodes'][number];
export type AssetEdge = BlastRadius['edges'][number];

// Every row is looked up by its key, in a subquery of its own: without statistics, the planner expects few rows in an
// organization and may read all of them to find a list of ids.

/** These assets, in no order; those that do not exist are left out. */
export async function graphAssets(
  trx: OrganizationTransaction,
  ids: readonly string[],
): Promise<Map<string, GraphAsset>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<GraphAsset>`
    select asset.id as _id, asset.name, asset.risk_score as "riskScore", asset.health,
      asset.project_id as "projectId", project.name as "projectName"
    from unnest(${ids}::uuid[]) wanted (id)
    cross join lateral (
      select id, name, risk_score, health, project_id from asset
      where organization_id = current_organization() and id = wanted.id offset 0
    ) asset
    cross join lateral (
      select name from project
      where organization_id = current_organization() and id = asset.project_id offset 0
    ) project`.execute(trx);
  return new Map(rows.map((asset) => [asset._id, asset]));
}

/** Relations whose lower end is one of these assets. */
export async function edgesInto(
  trx: OrganizationTransaction,
  { ids, most }: { ids: readonly string[]; most: number },
): Promise<AssetEdge[]> {
  const { rows } = await sql<AssetEdge>`
    select relation.asset_id as "from", wanted.id as "to"
    from unnest(${ids}::uuid[]) wanted (id)
    cross join lateral (
      select asset_id from asset_relation
      where organization_id = current_organization() and related_id = wanted.id offset 0
    ) relation
    limit ${most}`.execute(trx);
  return rows;
}
