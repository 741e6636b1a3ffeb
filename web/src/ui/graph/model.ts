import { colorings, type Coloring, type ColoringName } from './coloring.ts';
import { valueText, type GraphNode } from './kinds.ts';

export interface GraphEdge {
  readonly source: GraphNode;
  readonly target: GraphNode;
  readonly label: string;
  /** The relation as the target has it: 'is used by'. */
  readonly back: string;
}

/** A graph as the API returns it, or made from its replies. */
export interface GraphData {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { source: string; target: string; label: string; back?: string }[];
  /** Some nodes were left out. */
  readonly more: boolean;
}

/** A graph with resolved relations, shared by canvas, panel, search and tables. */
export interface GraphModel {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly byId: ReadonlyMap<string, GraphNode>;
  /** Edges at each node, by its id. */
  readonly at: ReadonlyMap<string, readonly GraphEdge[]>;
  /** Some nodes were left out. */
  readonly more: boolean;
  readonly coloring: Coloring;
}

/** Resolves the ends of every edge; edges that leave the graph are omitted. */
export function modelOf({ nodes, edges, more }: GraphData, coloring: ColoringName = 'score'): GraphModel {
  const byId = new Map(nodes.map((node) => [node._id, node]));
  const at = new Map<string, GraphEdge[]>(nodes.map((node) => [node._id, []]));
  const known: GraphEdge[] = [];
  for (const { source: from, target: to, label, back = label } of edges) {
    const [source, target] = [byId.get(from), byId.get(to)];
    if (source === undefined || target === undefined) continue;
    const edge = { source, target, label, back };
    known.push(edge);
    at.get(from)?.push(edge);
    if (from !== to) at.get(to)?.push(edge);
  }
  return { nodes, edges: known, byId, at, more, coloring: colorings[coloring] };
}

/** The relation as an end of the edge has it. */
export const relationOf = ({ source, label, back }: GraphEdge, { _id }: GraphNode): string =>
  source._id === _id ? label : back;

/** The other end of an edge. */
export const otherEnd = ({ source, target }: GraphEdge, { _id }: GraphNode): GraphNode =>
  source._id === _id ? target : source;

const longest = 34;

/** Name and score, as shown next to a node. */
export function nodeLabel(node: GraphNode): string {
  const { name } = node;
  const short = name.length > longest ? `${name.slice(0, longest - 1).trimEnd()}…` : name;
  const value = valueText(node);
  return value === '' ? short : `${short} · ${value}`;
}
