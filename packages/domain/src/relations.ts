/** `to` hangs on `from`. */
export interface Relation {
  from: string;
  to: string;
}

function below(relations: readonly Relation[]): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const { from, to } of relations) {
    const known = children.get(from);
    if (known) known.push(to);
    else children.set(from, [to]);
  }
  return children;
}

/** The way back to the start, over who led to whom. */
function trace(ledBy: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const way: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = ledBy.get(at)) way.unshift(at);
  return way;
}

function search(
  children: ReadonlyMap<string, readonly string[]>,
  starts: readonly string[],
  end: string,
): string[] | undefined {
  const ledBy = new Map<string, string | undefined>(starts.map((start) => [start, undefined]));
  const waiting = [...starts];
  for (const at of waiting) {
    if (at === end) return trace(ledBy, end);
    for (const child of children.get(at) ?? []) {
      if (ledBy.has(child)) continue;
      ledBy.set(child, at);
      waiting.push(child);
    }
  }
  return undefined;
}

/**
 * The circle that hanging `children` on `parent` would close: from the parent down and back to it, the shortest one;
 * undefined when there is none. `relations` are those below the children (contract, Relationships form no cycle).
 */
export function circleOf(
  relations: readonly Relation[],
  { parent, children }: { parent: string; children: readonly string[] },
): string[] | undefined {
  const way = search(below(relations), children, parent);
  return way && [parent, ...way];
}

/** Those of the wanted relations that can be had, one after the other, without closing a circle. */
export function withoutCircles(existing: readonly Relation[], wanted: readonly Relation[]): Relation[] {
  const children = below(existing);
  return wanted.filter(({ from, to }) => {
    if (search(children, [to], from)) return false;
    children.set(from, [...(children.get(from) ?? []), to]);
    return true;
  });
}
