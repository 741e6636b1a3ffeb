import type { Graph } from '@riskboard/contract';
import {
  type OrganizationTransaction,
  type RecordTableName,
  type RelatedRecord,
  relatedRecords,
} from '@riskboard/db';
import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';
import type { RecordContext } from './entity-rules.ts';

/** A graph with more nodes cannot be read. */
const mostNodes = 2000;
const mostEdges = 20_000;
/** Relations of the related assets among which the other records are looked for, of each kind of record. */
const mostSearched = 100_000;

type Node = Graph['nodes'][number];
type Edge = Graph['edges'][number];

/** An edge from the threat to the vulnerability, with every type of relation that reports state. */
function reportedEdge(table: RecordTableName, id: string, { id: other, relations }: RelatedRecord): Edge {
  const label = [...new Set(relations.map(({ type }) => type))].join(', ');
  return table === 'threat' ? { source: id, target: other, label } : { source: other, target: id, label };
}

const labels = { vulnerability: 'concerns', threat: 'threatens' } as const;

/**
 * A record, the records that reports relate to it, its related assets, the relations between those assets, and the other
 * records related to them. Nearest nodes first, so that the farthest are left out.
 */
export async function graphOf({ trx, rules: { table } }: RecordContext, id: string): Promise<Graph> {
  const { related, total } = await relatedRecords(trx, table, id);
  const { nodes, more } = await nodesOf(trx, { table, id, reported: related.map((record) => record.id) });
  const shown = new Set(nodes.map((node) => node._id));
  const fromReports = related
    .filter((record) => shown.has(record.id))
    .map((record) => reportedEdge(table, id, record));
  const edges = await edgesOf(trx, { table, id, nodes });
  return {
    nodes,
    edges: [...fromReports, ...edges].slice(0, mostEdges),
    more: more || total > related.length || fromReports.length + edges.length > mostEdges,
  };
}

interface Centre {
  table: RecordTableName;
  id: string;
}

/** Ids of records related to the assets `near`, in a limited number of relations. */
const linkedTo = (table: RecordTableName): RawBuilder<unknown> => sql`
  select link.id from near cross join lateral (
    select ${sql.ref(`${table}_id`)} as id from ${sql.table(`${table}_asset`)}
    where organization_id = current_organization() and asset_id = near.id offset 0
  ) link limit ${mostSearched + 1}`;

/** @throws Failure 404 */
async function nodesOf(
  trx: OrganizationTransaction,
  { table, id, reported }: Centre & { reported: readonly string[] },
): Promise<Pick<Graph, 'nodes' | 'more'>> {
  const distance = sql`case when r.id = ${id} then 0 when r.id = any (${reported}::uuid[]) then 1 else 2 end`;
  const { rows } = await sql<Node & { distance: number; searchedAll: boolean }>`
    with near as materialized (
      select r.id, r.name, r.risk_score from asset r
      where r.organization_id = current_organization() and r.id = any (array(
        select asset_id from ${sql.table(`${table}_asset`)}
        where organization_id = current_organization() and ${sql.ref(`${table}_id`)} = ${id}))
      order by r.name, r.id limit ${mostNodes + 1}
    ), linked_vulnerability as materialized (${linkedTo('vulnerability')}),
    linked_threat as materialized (${linkedTo('threat')})
    select node.*, (select count(*) from linked_vulnerability) <= ${mostSearched}
      and (select count(*) from linked_threat) <= ${mostSearched} as "searchedAll"
    from (
      select r.id as _id, 'vulnerability' as kind, r.name, coalesce(r.cvss_score, r.severity) as score,
        null::numeric as "riskLevel",
        r.id = ${id} as centre, ${distance} as distance
      from vulnerability r where r.organization_id = current_organization() and r.id in (
        select ${id}::uuid union all select unnest(${reported}::uuid[]) union all select id from linked_vulnerability)
      union all
      select r.id, 'threat', r.name, r.risk_level / 10, r.risk_level, r.id = ${id}, ${distance}
      from threat r where r.organization_id = current_organization() and r.id in (
        select ${id}::uuid union all select unnest(${reported}::uuid[]) union all select id from linked_threat)
      union all
      select r.id, 'asset', r.name, r.risk_score, null, false, 1 from near r
    ) node
    order by distance, name, _id limit ${mostNodes + 1}`.execute(trx);
  if (!rows.some((node) => node.centre)) throw new Failure('not_found');
  return {
    nodes: rows.slice(0, mostNodes).map(({ distance: _distance, searchedAll: _all, ...node }) => node),
    more: rows.length > mostNodes || rows.some((node) => !node.searchedAll),
  };
}

/**
 * SQL of the relations among records and assets. They are read by the assets, as their records were found: a list of assets as a
 * condition of the index would be sorted again for each record.
 */
const linksOf = (
  table: RecordTableName,
  { records, assets }: { records: readonly string[]; assets: readonly string[] },
): RawBuilder<Edge> => sql`
  select link.record_id as source, link.asset_id as target, ${labels[table]} as label
  from (
    select asset.id as asset_id, link.record_id
    from unnest(${assets}::uuid[]) asset (id)
    cross join lateral (
      select ${sql.ref(`${table}_id`)} as record_id from ${sql.table(`${table}_asset`)}
      where organization_id = current_organization() and asset_id = asset.id offset 0
    ) link limit ${mostSearched + 1}
  ) link
  where link.record_id = any (${records}::uuid[])`;

/**
 * Relations among the nodes, one more than a graph shows. The relations of the record come first, then one of each other
 * record, so that every node is connected to the record.
 */
async function edgesOf(
  trx: OrganizationTransaction,
  { table, id, nodes }: Centre & Pick<Graph, 'nodes'>,
): Promise<Edge[]> {
  const idsOf = (kind: Node['kind']) =>
    nodes.filter((node) => node.kind === kind && !node.centre).map((node) => node._id);
  const assets = idsOf('asset');
  const own = assets.map((asset) => ({ source: id, target: asset, label: labels[table] }));
  const linked = sql`
    ${linksOf('vulnerability', { records: idsOf('vulnerability'), assets })}
    union all ${linksOf('threat', { records: idsOf('threat'), assets })}`;
  const first =
    await sql<Edge>`select distinct on (source) * from (${linked}) link order by source, target`.execute(trx);
  // Each relation is looked up in a hash of the assets (`offset 0`); as a condition of the index, their list would be sorted again for each asset.
  const all = await sql<Edge>`
    select relation.asset_id as source, relation.related_id as target, 'related' as label
    from unnest(${assets}::uuid[]) asset (id)
    cross join lateral (
      select asset_id, related_id from asset_relation
      where organization_id = current_organization() and asset_id = asset.id offset 0
    ) relation
    where relation.related_id = any (${assets}::uuid[])
    union all ${linked}
    limit ${mostEdges + 1}`.execute(trx);
  const known = new Set(first.rows.map(({ source, target }) => `${source} ${target}`));
  const others = all.rows.filter(({ source, target }) => !known.has(`${source} ${target}`));
  return [...own, ...first.rows, ...others].slice(0, mostEdges + 1);
}
