import type { BlastRadius } from '@riskboard/contract';
import { formatCount, plural, type AssetHealth } from '@riskboard/domain';
import type { GraphData } from '../../../ui/graph/model.ts';
import type { GraphNode } from '../../../ui/graph/kinds.ts';

/** The asset that a blast radius is about. */
export interface Origin {
  readonly _id: string;
  readonly name: string;
  readonly riskScore: number;
  readonly health: AssetHealth;
}

/** Nodes of a graph that can be read; the tables have all. */
const mostDependents = 1500;
const mostVulnerabilities = 60;

const assetNode = ({ _id, name, riskScore, health }: Origin): GraphNode => ({
  _id,
  kind: 'asset',
  name,
  score: riskScore,
  riskLevel: null,
  health,
  centre: false,
});

/** A blast radius as a graph, with the way from the asset to each node. */
export interface BlastGraph {
  readonly data: GraphData;
  /** Ids from the asset to a node, both included, by the id of the node. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
}

/** The nearest dependents of an asset, and the most severe vulnerabilities that reach it with their paths. */
export function blastGraphOf(origin: Origin, blast: BlastRadius): BlastGraph {
  const dependents = blast.nodes.slice(0, mostDependents);
  const exposure = blast.exposure.slice(0, mostVulnerabilities);
  const nodes = new Map<string, GraphNode>([[origin._id, { ...assetNode(origin), centre: true }]]);
  for (const asset of [...dependents, ...exposure.flatMap(({ path }) => path)])
    if (!nodes.has(asset._id)) nodes.set(asset._id, assetNode(asset));
  for (const { vulnerability } of exposure)
    nodes.set(vulnerability._id, {
      _id: vulnerability._id,
      kind: 'vulnerability',
      name: vulnerability.name,
      score: vulnerability.cvssScore ?? vulnerability.severity,
      riskLevel: null,
      centre: false,
    });

  const edges = new Map<string, GraphData['edges'][number]>();
  const relate = (from: string, to: string) =>
    edges.set(`${from} ${to}`, { source: from, target: to, label: 'depends on', back: 'required by' });
  for (const { from, to } of blast.edges) if (nodes.has(from) && nodes.has(to)) relate(from, to);
  for (const { path, vulnerability } of exposure) {
    for (const [index, { _id }] of path.entries()) {
      const next = path[index + 1];
      if (next !== undefined) relate(_id, next._id);
    }
    const last = path.at(-1)?._id ?? origin._id;
    edges.set(`${vulnerability._id} ${last}`, { source: vulnerability._id, target: last, label: 'concerns' });
  }

  const paths = pathsOf(origin, blast);
  for (const { path, vulnerability } of exposure)
    paths.set(vulnerability._id, [...path.map(({ _id }) => _id), vulnerability._id]);
  const more =
    blast.truncated ||
    blast.exposureTruncated ||
    dependents.length < blast.nodes.length ||
    exposure.length < blast.exposure.length;
  return { data: { nodes: [...nodes.values()], edges: [...edges.values()], more }, paths };
}

/** The way from the asset to each dependent, over assets that are one step nearer each. */
function pathsOf({ _id: origin }: Origin, { nodes, edges }: BlastRadius): Map<string, string[]> {
  const distances = new Map(nodes.map(({ _id, distance }) => [_id, distance]));
  const nearer = new Map<string, string>();
  for (const { from, to } of edges)
    if ((distances.get(from) ?? 0) === (distances.get(to) ?? 0) + 1 && !nearer.has(from))
      nearer.set(from, to);
  const paths = new Map<string, string[]>([[origin, [origin]]]);
  // Nearest first: the path of the nearer asset is known.
  for (const { _id } of nodes.slice(0, mostDependents)) {
    const before = paths.get(nearer.get(_id) ?? '');
    if (before !== undefined) paths.set(_id, [...before, _id]);
  }
  return paths;
}

/** '14 assets depend on it, up to 3 steps away; 5 open vulnerabilities reach it.' */
export function blastSummary({
  nodes,
  truncated,
  exposureTotal,
  exposureTruncated,
  exposure,
}: BlastRadius): string {
  return `${dependentsText(nodes, truncated)}; ${vulnerabilitiesText(exposureTotal, exposureTruncated && exposureTotal <= exposure.length)}.`;
}

function dependentsText(nodes: BlastRadius['nodes'], truncated: boolean): string {
  const farthest = nodes.at(-1)?.distance;
  if (farthest === undefined) return 'No asset depends on it';
  // Relations may be left out although every asset is known.
  const count = truncated ? `${formatCount(nodes.length)} or more assets` : plural(nodes.length, 'asset');
  const verb = nodes.length === 1 && !truncated ? 'depends' : 'depend';
  return `${count} ${verb} on it, ${farthest === 1 ? '1 step' : `up to ${farthest} steps`} away`;
}

function vulnerabilitiesText(total: number, mayBeMore: boolean): string {
  if (total === 0) return 'no open vulnerability reaches it through what it depends on';
  if (mayBeMore) return `${formatCount(total)} or more open vulnerabilities reach it`;
  return total === 1
    ? '1 open vulnerability reaches it'
    : `${formatCount(total)} open vulnerabilities reach it`;
}
