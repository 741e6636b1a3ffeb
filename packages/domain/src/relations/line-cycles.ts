import { edgesByNode, type NumberedRelations } from './numbered-relations.ts';

/** Nodes of a cycle that are kept: a file may have a million cycles of a million nodes. */
export const mostCycleNodes = 8;

/** A cycle and the last line of the file that takes part in it. */
export interface LineCycle {
  line: number;
  /** Its first nodes in order, at most `mostCycleNodes`; the last one of the cycle leads back to the first. */
  nodes: number[];
  /** Number of all its nodes. */
  length: number;
}

/**
 * The path of a depth-first search, with the line of the step to each node. The last line after a depth is found in
 * logarithmic time: each depth refers to a lower one, as in a skew-binary list (Myers, 1983), and knows the step with the
 * last line between them.
 */
class Path {
  readonly #nodes: number[] = [];
  readonly #lines: number[] = [];
  readonly #lower: number[] = [];
  readonly #lastSteps: number[] = [];
  /** Depths whose step has a line that fails, in ascending order. */
  readonly #failed: number[] = [];

  get node(): number | undefined {
    return this.#nodes.at(-1);
  }

  get depth(): number {
    return this.#nodes.length - 1;
  }

  nodesFrom(depth: number, most: number): number[] {
    return this.#nodes.slice(depth, depth + most);
  }

  push(node: number, line: number, { fails }: { fails: boolean }): void {
    const depth = this.#nodes.push(node) - 1;
    this.#lines.push(line);
    const before = Math.max(depth - 1, 0);
    const lower = this.#lower[before] ?? 0;
    const lowest = this.#lower[lower] ?? 0;
    const joins = before > 0 && before - lower === lower - lowest;
    this.#lower.push(joins ? lowest : before);
    this.#lastSteps.push(
      joins ? this.#later(depth, this.#later(this.#lastSteps[before], this.#lastSteps[lower])) : depth,
    );
    if (fails) this.#failed.push(depth);
  }

  pop(): void {
    for (const list of [this.#nodes, this.#lines, this.#lower, this.#lastSteps]) list.pop();
    if (this.#failed.at(-1) === this.#nodes.length) this.#failed.pop();
  }

  /** Whether a step after this depth has a line that fails. */
  failsAfter(depth: number): boolean {
    return (this.#failed.at(-1) ?? -1) > depth;
  }

  /** Fails the last line of the steps after this depth and of a further step, of which none fails yet. @returns the line */
  failLast(depth: number, line: number): number {
    let last: number | undefined;
    for (let at = this.depth; at > depth;) {
      const lower = this.#lower[at] ?? 0;
      const isWithin = lower >= depth;
      last = this.#later(last, isWithin ? this.#lastSteps[at] : at);
      at = isWithin ? lower : at - 1;
    }
    const lastLine = last === undefined ? 0 : (this.#lines[last] ?? 0);
    if (last === undefined || lastLine < line) return line;
    this.#failed.push(last);
    return lastLine;
  }

  /** The step of two that has the later line. */
  #later(one: number | undefined, other: number | undefined): number {
    if (one === undefined || other === undefined) return one ?? other ?? 0;
    return (this.#lines[one] ?? 0) >= (this.#lines[other] ?? 0) ? one : other;
  }
}

const unseen = 0;
const open = 1;
const done = 2;

/**
 * Finds cycles and, for each, the last line that takes part. Remove those lines and call again until none is found: one call
 * may miss cycles that share relations. Existing relations alone form no cycle, so each cycle has a line. The relations of a
 * line begin at one node. Each relation is visited once, in logarithmic time.
 */
export function findLineCycles(relations: NumberedRelations): LineCycle[] {
  const { starts, edges } = edgesByNode(relations);
  const { nodes, to, line } = relations;
  const state = new Uint8Array(nodes);
  const depths = new Int32Array(nodes);
  const next = starts.slice(0, nodes);
  const found: LineCycle[] = [];
  const failed = new Set<number>();
  for (let root = 0; root < nodes; root += 1) {
    if (state[root] !== unseen) continue;
    const path = new Path();
    const enter = (node: number, by: number): void => {
      path.push(node, by, { fails: failed.has(by) });
      state[node] = open;
      depths[node] = path.depth;
    };
    enter(root, 0);
    for (let node = path.node; node !== undefined; node = path.node) {
      const at = next[node] ?? 0;
      if (at >= (starts[node + 1] ?? 0)) {
        state[node] = done;
        path.pop();
        continue;
      }
      next[node] = at + 1;
      const edge = edges[at] ?? 0;
      const target = to[edge] ?? 0;
      const by = line[edge] ?? 0;
      if (state[target] === unseen) {
        enter(target, by);
      } else if (state[target] === open) {
        const begin = depths[target] ?? 0;
        // A cycle with a line that fails already is broken.
        if (failed.has(by) || path.failsAfter(begin)) continue;
        const last = path.failLast(begin, by);
        failed.add(last);
        found.push({
          line: last,
          nodes: path.nodesFrom(begin, mostCycleNodes),
          length: path.depth - begin + 1,
        });
      }
    }
  }
  return found;
}
