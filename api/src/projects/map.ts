import type { ProjectMap } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import { type AssetEdge, graphAssets } from '../assets/graph-assets.ts';
import { Failure } from '../lib/http/failure.ts';

/** A map with more nodes cannot be read; a part is kept free for assets of other projects. */
const mostNodes = 2000;
const mostNeighbours = 500;
const mostEdges = 20_000;

/**
 * The assets of a project with their relations among each other and to assets of other projects. Assets with the
 * highest scores first, so that the others are left out.
 * @throws Failure 404
 */
export async function projectMapOf(trx: OrganizationTransaction, id: string): Promise<ProjectMap> {
  const project = await trx.selectFrom('project').select('id').where('id', '=', id).executeTakeFirst();
  if (!project) throw new Failure('not_found', 'Project not found.');
  const total = await assetCount(trx, id);
  const worst = await worstOf(trx, id);
  const neighbours = await neighboursOf(trx, { id, assets: worst });
  const others = neighbours.slice(0, mostNeighbours);
  const own = worst.slice(0, mostNodes - others.length);
  const shown = await graphAssets(trx, [...own, ...others]);
  const edges = await edgesAmong(trx, [...shown.keys()]);
  const related = new Set(edges.flatMap(({ from, to }) => [from, to]));
  // Of an asset of another project, only its relations matter; those that were related to assets left out are not shown.
  const nodes = [...own, ...others.filter((other) => related.has(other))].flatMap(
    (asset) => shown.get(asset) ?? [],
  );
  const leftOut = Math.max(0, total - own.length);
  return {
    nodes,
    edges: edges.slice(0, mostEdges),
    total,
    leftOut,
    truncated: leftOut > 0 || neighbours.length > mostNeighbours || edges.length > mostEdges,
  };
}

/** Ids of the assets with the highest scores. */
async function worstOf(trx: OrganizationTransaction, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from asset where organization_id = current_organization() and project_id = ${id}
    order by risk_score desc, id limit ${mostNodes}`.execute(trx);
  return rows.map((asset) => asset.id);
}

async function assetCount(trx: OrganizationTransaction, id: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from asset
    where organization_id = current_organization() and project_id = ${id}`.execute(trx);
  return rows[0]?.total ?? 0;
}

/** Ids of assets of other projects that are related to these, worst first; one more than a map shows. */
async function neighboursOf(
  trx: OrganizationTransaction,
  { id, assets }: { id: string; assets: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with near as (
      select distinct relation.id from unnest(${assets}::uuid[]) own (id)
      cross join lateral (
        select related_id as id from asset_relation
        where organization_id = current_organization() and asset_id = own.id
        union all
        select asset_id from asset_relation
        where organization_id = current_organization() and related_id = own.id
      ) relation
    )
    select asset.id from near
    cross join lateral (
      select id, risk_score from asset
      where organization_id = current_organization() and id = near.id and project_id <> ${id} offset 0
    ) asset
    order by asset.risk_score desc, asset.id limit ${mostNeighbours + 1}`.execute(trx);
  return rows.map((asset) => asset.id);
}

/** Relations of these assets with each other, one more than a map shows. */
async function edgesAmong(trx: OrganizationTransaction, ids: readonly string[]): Promise<AssetEdge[]> {
  const { rows } = await sql<AssetEdge>`
    select own.id as "from", relation.related_id as "to" from unnest(${ids}::uuid[]) own (id)
    cross join lateral (
      select related_id from asset_relation
      where organization_id = current_organization() and asset_id = own.id offset 0
    ) relation
    where relation.related_id = any (${ids}::uuid[])
    limit ${mostEdges + 1}`.execute(trx);
  return rows;
}
