import type { Graph } from '@riskboard/contract';
import { valueText, type GraphNode } from './kinds.ts';

export interface GraphEdge {
  readonly source: GraphNode;
  readonly target: GraphNode;
  readonly label: string;
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
}

/** Resolves the ends of every edge; edges that leave the graph are omitted. */
export function modelOf({ nodes, edges, more }: Graph): GraphModel {
  const byId = new Map(nodes.map((node) => [node._id, node]));
  const at = new Map<string, GraphEdge[]>(nodes.map((node) => [node._id, []]));
  const known: GraphEdge[] = [];
  for (const { source: from, target: to, label } of edges) {
    const [source, target] = [byId.get(from), byId.get(to)];
    if (source === undefined || target === undefined) continue;
    const edge = { source, target, label };
    known.push(edge);
    at.get(from)?.push(edge);
    if (from !== to) at.get(to)?.push(edge);
  }
  return { nodes, edges: known, byId, at, more };
}

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
