import { edgesByNode, type NumberedRelations } from './numbered-relations.ts';

/** Strongly connected components of a graph. */
export interface Components {
  /** The component of each node: nodes on a common cycle are in the same one. */
  of: Int32Array;
  /** The nodes, those of a component one after another. */
  nodes: Int32Array;
}

/** The components, in linear time (Tarjan's algorithm). */
export function componentsOf(relations: NumberedRelations): Components {
  const { nodes, to } = relations;
  const { starts, edges } = edgesByNode(relations);
  const found: Components = { of: new Int32Array(nodes).fill(-1), nodes: new Int32Array(nodes) };
  const order = new Int32Array(nodes);
  const lowest = new Int32Array(nodes);
  const next = starts.slice(0, nodes);
  const path: number[] = [];
  const open: number[] = [];
  let seen = 0;
  let placed = 0;
  const lower = (node: number, value = 0): void => {
    lowest[node] = Math.min(lowest[node] ?? 0, value);
  };
  const enter = (node: number): void => {
    seen += 1;
    order[node] = seen;
    lowest[node] = seen;
    path.push(node);
    open.push(node);
  };
  for (let root = 0; root < nodes; root += 1) {
    if (order[root] === 0) enter(root);
    while (path.length > 0) {
      const node = path.at(-1) ?? 0;
      const at = next[node] ?? 0;
      if (at < (starts[node + 1] ?? 0)) {
        next[node] = at + 1;
        const target = to[edges[at] ?? 0] ?? 0;
        if (order[target] === 0) enter(target);
        else if (found.of[target] === -1) lower(node, order[target]);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(parent, lowest[node]);
      if (lowest[node] !== order[node]) continue;
      for (let member = -1; member !== node; placed += 1) {
        member = open.pop() ?? node;
        found.of[member] = node;
        found.nodes[placed] = member;
      }
    }
  }
  return found;
}

/** The relations that can be part of a cycle: both ends are different nodes of one component. */
export function relationsInside(
  { nodes, from, to, line }: NumberedRelations,
  { of }: Components,
): NumberedRelations {
  const inside: number[] = [];
  from.forEach((node, edge) => {
    const target = to[edge] ?? 0;
    if (node !== target && of[node] === of[target]) inside.push(edge);
  });
  const only = (values: Int32Array): Int32Array => Int32Array.from(inside, (edge) => values[edge] ?? 0);
  return { nodes, from: only(from), to: only(to), line: only(line) };
}
