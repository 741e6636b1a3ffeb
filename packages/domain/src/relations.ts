/** A parent/child link between assets: `to` is a child of `from`. */
export interface Relation {
  from: string;
  to: string;
}

function childrenByParent(relations: readonly Relation[]): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const { from, to } of relations) {
    const known = children.get(from);
    if (known) known.push(to);
    else children.set(from, [to]);
  }
  return children;
}

/** The path from a start to `end`, reconstructed from each node's predecessor. */
function pathTo(predecessors: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const path: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = predecessors.get(at)) path.unshift(at);
  return path;
}

function search(
  children: ReadonlyMap<string, readonly string[]>,
  starts: readonly string[],
  end: string,
): string[] | undefined {
  const predecessors = new Map<string, string | undefined>(starts.map((start) => [start, undefined]));
  const queue = [...starts];
  for (const at of queue) {
    if (at === end) return pathTo(predecessors, end);
    for (const child of children.get(at) ?? []) {
      if (predecessors.has(child)) continue;
      predecessors.set(child, at);
      queue.push(child);
    }
  }
  return undefined;
}

/**
 * The shortest cycle that linking `children` to `parent` would create, from the parent down and back to it; undefined
 * when no cycle would result (contract, Relationships form no cycle).
 * @param relations the relations below the children
 */
export function cycleOf(
  relations: readonly Relation[],
  { parent, children }: { parent: string; children: readonly string[] },
): string[] | undefined {
  const path = search(childrenByParent(relations), children, parent);
  return path && [parent, ...path];
}

/** The wanted relations that can be added, in order, without creating a cycle. */
export function withoutCycles(existing: readonly Relation[], wanted: readonly Relation[]): Relation[] {
  const children = childrenByParent(existing);
  return wanted.filter(({ from, to }) => {
    if (search(children, [to], from)) return false;
    children.set(from, [...(children.get(from) ?? []), to]);
    return true;
  });
}
