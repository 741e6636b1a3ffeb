/** Relations between numbered assets, of a file's line or, with line 0, existing ones. */
export interface NumberedRelations {
  nodes: number;
  from: Int32Array;
  to: Int32Array;
  line: Int32Array;
}

/** A cycle and the last line of the file that takes part in it. */
export interface LineCycle {
  line: number;
  /** Its nodes in order; the last one leads back to the first. */
  nodes: number[];
}

/** The edges of each node: those of node n are `edges[starts[n]]` to `edges[starts[n + 1] - 1]`. */
function edgesByNode({ nodes, from }: NumberedRelations): { starts: Int32Array; edges: Int32Array } {
  const starts = new Int32Array(nodes + 1);
  for (const node of from) starts[node + 1] = (starts[node + 1] ?? 0) + 1;
  for (let node = 0; node < nodes; node += 1)
    starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  const next = starts.slice();
  const edges = new Int32Array(from.length);
  from.forEach((node, edge) => {
    const at = next[node] ?? 0;
    edges[at] = edge;
    next[node] = at + 1;
  });
  return { starts, edges };
}

const unseen = 0;
const open = 1;
const done = 2;

/**
 * Cycles of a graph, each edge visited once: without the relations of their lines there are fewer, and repeating it
 * leaves none. Existing relations alone form no cycle, so each cycle has a line.
 */
export function closingLines(relations: NumberedRelations): LineCycle[] {
  const { starts, edges } = edgesByNode(relations);
  const { nodes, to, line } = relations;
  const state = new Uint8Array(nodes);
  const next = starts.slice(0, nodes);
  const found: LineCycle[] = [];
  const failed = new Set<number>();
  for (let root = 0; root < nodes; root += 1) {
    if (state[root] !== unseen) continue;
    /** Nodes from the root to the current one, and the edge that led to each. */
    const path = [root];
    const way = [-1];
    state[root] = open;
    while (path.length > 0) {
      const node = path.at(-1) ?? 0;
      const at = next[node] ?? 0;
      if (at >= (starts[node + 1] ?? 0)) {
        state[node] = done;
        path.pop();
        way.pop();
        continue;
      }
      next[node] = at + 1;
      const edge = edges[at] ?? 0;
      const target = to[edge] ?? 0;
      if (state[target] === unseen) {
        state[target] = open;
        path.push(target);
        way.push(edge);
      } else if (state[target] === open) {
        const begin = path.lastIndexOf(target);
        const lines = [edge, ...way.slice(begin + 1)].map((one) => line[one] ?? 0);
        // A cycle with a line that fails already is broken.
        if (lines.some((one) => failed.has(one))) continue;
        const last = lines.reduce((most, one) => Math.max(most, one), 0);
        failed.add(last);
        found.push({ line: last, nodes: path.slice(begin) });
      }
    }
  }
  return found;
}
