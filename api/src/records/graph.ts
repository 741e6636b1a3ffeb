import type { Graph } from '@riskboard/contract';
import { sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import type { RecordContext } from './kind.ts';

/** A graph with more nodes cannot be read. */
const mostNodes = 2000;

type Node = Graph['nodes'][number];
type Edge = Graph['edges'][number];

/**
 * A record, its related assets, the relations between those assets, and the other records related to them. Nearest
 * nodes first, so that the farthest are left out.
 */
export async function graphOf({ trx, rules: { table } }: RecordContext, id: string): Promise<Graph> {
  const link = sql.ref(`${table}_id`);
  const { rows } = await sql<Node & { distance: number }>`
    with near as (
      select asset_id as id from ${sql.table(`${table}_asset`)}
      where organization_id = current_organization() and ${link} = ${id}
    )
    select * from (
      select v.id as _id, 'vulnerability' as kind, v.name, coalesce(v.cvss_score, v.severity) as score,
        null::numeric as "riskLevel",
        v.id = ${id} as centre, case when v.id = ${id} then 0 else 2 end as distance
      from vulnerability v where v.organization_id = current_organization() and (v.id = ${id} or v.id in (
        select vulnerability_id from vulnerability_asset where organization_id = current_organization() and asset_id in (select id from near)))
      union all
      select t.id, 'threat', t.name, t.risk_level / 10, t.risk_level, t.id = ${id}, case when t.id = ${id} then 0 else 2 end
      from threat t where t.organization_id = current_organization() and (t.id = ${id} or t.id in (
        select threat_id from threat_asset where organization_id = current_organization() and asset_id in (select id from near)))
      union all
      select r.id, 'asset', r.name, r.risk_score, null, false, 1
      from asset r where r.organization_id = current_organization()
        and r.id = any (array(select id from near))
    ) node
    order by distance, name, _id limit ${mostNodes + 1}`.execute(trx);
  if (!rows.some((node) => node.centre)) throw new Failure('not_found');
  const nodes = rows.slice(0, mostNodes).map(({ distance: _distance, ...node }) => node);
  const ids = nodes.map((node) => node._id);
  const edges = await sql<Edge>`
    select vulnerability_id as source, asset_id as target, 'concerns' as label from vulnerability_asset
    where organization_id = current_organization() and vulnerability_id = any (${ids}::uuid[]) and asset_id = any (${ids}::uuid[])
    union all
    select threat_id, asset_id, 'threatens' from threat_asset
    where organization_id = current_organization() and threat_id = any (${ids}::uuid[]) and asset_id = any (${ids}::uuid[])
    union all
    select asset_id, related_id, 'related' from asset_relation
    where organization_id = current_organization() and asset_id = any (${ids}::uuid[]) and related_id = any (${ids}::uuid[])`.execute(
    trx,
  );
  return { nodes, edges: edges.rows, more: rows.length > mostNodes };
}
