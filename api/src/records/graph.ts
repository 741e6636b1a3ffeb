import type { Graph } from '@riskboard/contract';
import { type RecordTableName, type RelatedRecord, relatedRecords } from '@riskboard/db';
import { sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import type { RecordContext } from './kind.ts';

/** A graph with more nodes cannot be read. */
const mostNodes = 2000;

type Node = Graph['nodes'][number];
type Edge = Graph['edges'][number];

/** An edge from the threat to the vulnerability, with every type of relation that reports state. */
function reportedEdge(table: RecordTableName, id: string, { id: other, relations }: RelatedRecord): Edge {
  const label = [...new Set(relations.map(({ type }) => type))].join(', ');
  return table === 'threat' ? { source: id, target: other, label } : { source: other, target: id, label };
}

/**
 * A record, the records that reports relate to it, its related assets, the relations between those assets, and the other
 * records related to them. Nearest nodes first, so that the farthest are left out.
 */
export async function graphOf({ trx, rules: { table } }: RecordContext, id: string): Promise<Graph> {
  const link = sql.ref(`${table}_id`);
  const { related, total } = await relatedRecords(trx, table, id);
  const reported = related.map((record) => record.id);
  const distance = sql`case when r.id = ${id} then 0 when r.id = any (${reported}::uuid[]) then 1 else 2 end`;
  const { rows } = await sql<Node & { distance: number }>`
    with near as (
      select asset_id as id from ${sql.table(`${table}_asset`)}
      where organization_id = current_organization() and ${link} = ${id}
    )
    select * from (
      select r.id as _id, 'vulnerability' as kind, r.name, coalesce(r.cvss_score, r.severity) as score,
        null::numeric as "riskLevel",
        r.id = ${id} as centre, ${distance} as distance
      from vulnerability r where r.organization_id = current_organization() and r.id in (
        select ${id}::uuid union all select unnest(${reported}::uuid[]) union all
        select vulnerability_id from vulnerability_asset where organization_id = current_organization() and asset_id in (select id from near))
      union all
      select r.id, 'threat', r.name, r.risk_level / 10, r.risk_level, r.id = ${id}, ${distance}
      from threat r where r.organization_id = current_organization() and r.id in (
        select ${id}::uuid union all select unnest(${reported}::uuid[]) union all
        select threat_id from threat_asset where organization_id = current_organization() and asset_id in (select id from near))
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
  const shown = new Set(ids);
  const fromReports = related
    .filter((record) => shown.has(record.id))
    .map((record) => reportedEdge(table, id, record));
  return {
    nodes,
    edges: [...edges.rows, ...fromReports],
    more: rows.length > mostNodes || total > related.length,
  };
}
