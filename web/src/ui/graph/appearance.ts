import type Graphology from 'graphology';
import type { GraphColors } from './colors.ts';
import type { GraphKind, GraphNode } from './kinds.ts';
import { otherEnd, type GraphModel } from './model.ts';
import type { ShapeData } from './shape-program.ts';

/** A larger graph draws relations as thin lines: twice as many frames a second without a graphics card. */
const manyEdges = 500;
/** So many highlighted records need no label each, and their relations are thinner, so that they do not cover the records. */
const manyLit = 30;

interface AppearanceOptions {
  model: GraphModel;
  graph: Graphology;
  /** Nodes from the center to a node, which are highlighted with it; undefined or the node alone: its neighbors are. */
  pathOf: (node: GraphNode) => readonly string[] | undefined;
}

interface NodeState {
  colors: GraphColors;
  hidden: ReadonlySet<GraphKind>;
  /** Nodes with a ring. */
  marked: readonly (GraphNode | undefined)[];
}

/** How nodes and relations look, with those that are highlighted with the focused node. Independent of sigma. */
export function createAppearance({ model, graph, pathOf }: AppearanceOptions) {
  const isDense = model.edges.length > manyEdges;
  let focus: GraphNode | undefined;
  /** Highlighted nodes; undefined: none, all look the same. */
  let lit: ReadonlySet<string> | undefined;
  /** Ids of the highlighted nodes in the order of their path. */
  let path: readonly string[] | undefined;
  const areFew = () => lit !== undefined && lit.size < manyLit;

  function isLit(edge: string, node: GraphNode): boolean {
    if (path === undefined) return graph.hasExtremity(edge, node._id);
    const [from, to] = graph.extremities(edge).map((id) => path?.indexOf(id) ?? -1);
    return from !== undefined && to !== undefined && from >= 0 && to >= 0 && Math.abs(from - to) === 1;
  }

  return {
    /** Relations are drawn as lines. */
    isDense,

    /** Highlights a node with its path or neighbors. */
    focusOn(node: GraphNode | undefined): void {
      focus = node;
      const found = node && pathOf(node);
      path = found !== undefined && found.length > 1 ? found : undefined;
      lit =
        node &&
        new Set(
          path ?? [node._id, ...(model.at.get(node._id) ?? []).map((edge) => otherEnd(edge, node)._id)],
        );
    },

    node(id: string, data: object, { colors, hidden, marked }: NodeState): Partial<ShapeData> {
      const node = model.byId.get(id);
      if (node === undefined) return data;
      const out = lit !== undefined && !lit.has(id);
      const highlighted = marked.includes(node);
      return {
        ...data,
        hidden: hidden.has(node.kind),
        color: out ? colors.dim : colors[model.coloring.bandOf(node).fill],
        outline: out ? colors.dim : colors.outline,
        highlighted,
        ...(out && { label: null, zIndex: 0 }),
        ...(!out && (highlighted || node.centre || areFew()) && { forceLabel: true }),
      };
    },

    edge(id: string, data: object, colors: GraphColors) {
      const type = isDense ? 'line' : 'arrow';
      if (focus === undefined)
        return { ...data, type, color: isDense ? colors.denseEdge : colors.edge, label: null };
      if (!isLit(id, focus)) return { ...data, type, color: colors.dim, label: null };
      return {
        ...data,
        type: 'lit',
        color: colors.muted,
        size: areFew() ? 3 : 1.5,
        zIndex: 1,
        forceLabel: true,
      };
    },
  };
}
