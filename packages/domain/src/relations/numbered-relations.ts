/** Relations between numbered assets, of a file's line or, with line 0, existing ones. */
export interface NumberedRelations {
  nodes: number;
  from: Int32Array;
  to: Int32Array;
  line: Int32Array;
}

/** The edges of each node: those of node n are `edges[starts[n]]` to `edges[starts[n + 1] - 1]`. */
export function edgesByNode({ nodes, from }: NumberedRelations): { starts: Int32Array; edges: Int32Array } {
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
