import type { BlastRadius } from '@riskboard/contract';
import { type OrganizationTransaction, type Walk, walkAssets } from '@riskboard/db';
import { sql } from 'kysely';
import { requireAsset } from './find.ts';
import { edgesInto, graphAssets } from './graph-assets.ts';

const mostEdges = 50_000;
const mostExposed = 200;

type Exposure = BlastRadius['exposure'][number];
type ShownAsset = Exposure['path'][number];

/** What depends on an asset, and which open vulnerabilities reach it (contract, Explanations). @throws Failure 404 */
export async function blastRadiusOf(trx: OrganizationTransaction, id: string): Promise<BlastRadius> {
  await requireAsset(trx, id);
  return {
    ...(await dependentsOf(trx, id)),
    ...(await exposureOf(trx, id)),
  };
}

type Dependents = Pick<BlastRadius, 'nodes' | 'edges' | 'truncated'>;

async function dependentsOf(trx: OrganizationTransaction, id: string): Promise<Dependents> {
  const walk = await walkAssets(trx, { id, direction: 'parents' });
  const shown = await shownAssets(
    trx,
    walk.assets.map((asset) => asset.id),
  );
  // An asset may have been deleted since the walk.
  const nodes = walk.assets.flatMap(({ id: asset, distance }) => {
    const found = shown.get(asset);
    return found ? [{ ...found, distance }] : [];
  });
  const edges = (await edgesOf(trx, id, walk)).filter(
    ({ from, to }) => shown.has(from) && (to === id || shown.has(to)),
  );
  return {
    nodes: nodes.toSorted(
      (a, b) => a.distance - b.distance || b.riskScore - a.riskScore || compare(a.name, b.name),
    ),
    edges,
    truncated: walk.truncated || walk.relations > mostEdges,
  };
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

/**
 * Relations among the assets of a walk and its start. When there are too many, the relation by which the walk found each
 * asset comes first, so that every asset is connected to the start.
 */
async function edgesOf(
  trx: OrganizationTransaction,
  id: string,
  { assets, relations }: Walk,
): Promise<BlastRadius['edges']> {
  const ids = [id, ...assets.map((asset) => asset.id)];
  const rows = await edgesInto(trx, { ids, most: mostEdges });
  if (relations <= mostEdges) return rows;
  const steps = new Map(assets.map(({ id: from, previous: to }) => [`${from} ${to}`, { from, to }]));
  const others = rows.filter(({ from, to }) => !steps.has(`${from} ${to}`));
  return [...steps.values(), ...others].slice(0, mostEdges);
}

type Exposed = Exposure['vulnerability'] & {
  /** Position of the nearest asset that has the vulnerability; the walk's order is by distance. */
  position: number;
  total: number;
};

type Exposures = Pick<BlastRadius, 'exposure' | 'exposureTotal' | 'exposureTruncated'>;

async function exposureOf(trx: OrganizationTransaction, id: string): Promise<Exposures> {
  const { assets, truncated } = await walkAssets(trx, { id, direction: 'children' });
  const { rows } = await sql<Exposed>`
    with reached as (
      select link.vulnerability_id as id, min(asset.position)::int as position
      from unnest(${assets.map((asset) => asset.id)}::uuid[]) with ordinality asset (id, position)
      cross join lateral (
        select vulnerability_id from vulnerability_asset
        where organization_id = current_organization() and asset_id = asset.id offset 0
      ) link
      group by link.vulnerability_id
    )
    select v.id as _id, v.name, v.severity, v.cvss_score as "cvssScore", reached.position,
      count(*) over ()::int as total
    from reached
    join vulnerability v on v.organization_id = current_organization() and v.id = reached.id
    where v.status = 'open'
    order by coalesce(v.cvss_score, v.severity) desc nulls last, reached.position, v.name, v.id
    limit ${mostExposed}`.execute(trx);
  const total = rows[0]?.total ?? 0;
  return {
    exposure: await withPaths(trx, { id, assets }, rows),
    exposureTotal: total,
    exposureTruncated: truncated || total > mostExposed,
  };
}

async function withPaths(
  trx: OrganizationTransaction,
  { id, assets }: { id: string; assets: Walk['assets'] },
  rows: readonly Exposed[],
): Promise<Exposure[]> {
  const previous = new Map(assets.map((asset) => [asset.id, asset.previous]));
  /** From the start down to an asset. */
  function pathTo(end: string): string[] {
    const path: string[] = [];
    for (let at: string | undefined = end; at !== undefined; at = previous.get(at)) path.unshift(at);
    return path;
  }
  const exposed = rows.flatMap(({ position, total: _total, ...vulnerability }) => {
    const asset = assets[position - 1];
    return asset ? [{ vulnerability, distance: asset.distance, path: pathTo(asset.id) }] : [];
  });
  const shown = await shownAssets(trx, [...new Set([id, ...exposed.flatMap(({ path }) => path)])]);
  return exposed.flatMap(({ path, ...one }) => {
    const named = path.flatMap((asset) => shown.get(asset) ?? []);
    // An asset of the path may have been deleted since the walk.
    return named.length === path.length ? [{ ...one, path: named }] : [];
  });
}

async function shownAssets(
  trx: OrganizationTransaction,
  ids: readonly string[],
): Promise<Map<string, ShownAsset>> {
  const found = await graphAssets(trx, ids);
  return new Map(
    [...found.values()].map(({ projectId: _id, projectName: _name, ...asset }) => [asset._id, asset]),
  );
}
