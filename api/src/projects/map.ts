import type { ProjectMap } from '@riskboard/contract';
import { assetSource, type OrganizationTransaction } from '@riskboard/db';
import { sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';

/** A map with more nodes cannot be read; a part is kept free for assets of other projects. */
const mostNodes = 2000;
const mostNeighbours = 500;
const mostEdges = 20_000;

type Node = ProjectMap['nodes'][number];
type Edge = ProjectMap['edges'][number];

const node = sql`select r.id as _id, r.name, r.risk_score as "riskScore", r.health, r.project_id as "projectId",
  r.project_name as "projectName" from ${sql.raw(assetSource.from)}`;
const worstFirst = sql`order by r.risk_score desc, r.id`;

/**
 * The assets of a project with their relations among each other and to assets of other projects. Assets with the
 * highest scores first, so that the others are left out.
 * @throws Failure 404
 */
export async function projectMapOf(trx: OrganizationTransaction, id: string): Promise<ProjectMap> {
  const project = await trx.selectFrom('project').select('id').where('id', '=', id).executeTakeFirst();
  if (!project) throw new Failure('not_found', 'Project not found.');
  const total = await assetCount(trx, id);
  const { rows: worst } = await sql<Node>`${node}
    where r.organization_id = current_organization() and r.project_id = ${id}
    ${worstFirst} limit ${mostNodes}`.execute(trx);
  const neighbours = await neighboursOf(trx, id, worst);
  const others = neighbours.slice(0, mostNeighbours);
  const own = worst.slice(0, mostNodes - others.length);
  const edges = await edgesAmong(
    trx,
    [...own, ...others].map(({ _id }) => _id),
  );
  const related = new Set(edges.flatMap(({ from, to }) => [from, to]));
  // Of an asset of another project, only its relations matter; those that were related to assets left out are not shown.
  const nodes = [...own, ...others.filter(({ _id }) => related.has(_id))];
  const leftOut = Math.max(0, total - own.length);
  return {
    nodes,
    edges: edges.slice(0, mostEdges),
    total,
    leftOut,
    truncated: leftOut > 0 || neighbours.length > mostNeighbours || edges.length > mostEdges,
  };
}

async function assetCount(trx: OrganizationTransaction, id: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from asset
    where organization_id = current_organization() and project_id = ${id}`.execute(trx);
  return rows[0]?.total ?? 0;
}

/** Assets of other projects that are related to these, one more than a map shows. */
async function neighboursOf(
  trx: OrganizationTransaction,
  id: string,
  assets: readonly Node[],
): Promise<Node[]> {
  const ids = assets.map(({ _id }) => _id);
  const { rows } = await sql<Node>`${node}
    where r.organization_id = current_organization() and r.project_id <> ${id} and r.id = any (array(
      select related_id from asset_relation
      where organization_id = current_organization() and asset_id = any (${ids}::uuid[])
      union
      select asset_id from asset_relation
      where organization_id = current_organization() and related_id = any (${ids}::uuid[])
    ))
    ${worstFirst} limit ${mostNeighbours + 1}`.execute(trx);
  return rows;
}

/** Relations of these assets with each other, one more than a map shows. */
async function edgesAmong(trx: OrganizationTransaction, ids: readonly string[]): Promise<Edge[]> {
  // The other end is compared in a step of its own: two lists in one index condition are a million look-ups.
  const { rows } = await sql<Edge>`
    select asset_id as "from", related_id as "to" from (
      select asset_id, related_id from asset_relation
      where organization_id = current_organization() and asset_id = any (${ids}::uuid[]) offset 0
    ) relation
    where related_id = any (${ids}::uuid[])
    limit ${mostEdges + 1}`.execute(trx);
  return rows;
}
