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

  get node(): number | undefined {
    return this.#nodes.at(-1);
  }

  get depth(): number {
    return this.#nodes.length - 1;
  }

  nodesFrom(depth: number, most: number): number[] {
    return this.#nodes.slice(depth, depth + most);
  }

  push(node: number, line: number): void {
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
  }

  pop(): void {
    for (const list of [this.#nodes, this.#lines, this.#lower, this.#lastSteps]) list.pop();
  }

  lineAt(depth: number): number {
    return this.#lines[depth] ?? 0;
  }

  /** The step with the last line of those after this depth, as the depth that it leads to; there is at least one. */
  lastStepAfter(depth: number): number {
    let last: number | undefined;
    for (let at = this.depth; at > depth;) {
      const lower = this.#lower[at] ?? 0;
      const isWithin = lower >= depth;
      last = this.#later(last, isWithin ? this.#lastSteps[at] : at);
      at = isWithin ? lower : at - 1;
    }
    return last ?? this.depth;
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

/** Nodes that one call may visit again: a part of a second. */
const mostRevisited = 1_000_000;

/**
 * Finds cycles and, for each, the last line that takes part, whose relations are left out from then on. Without these lines
 * no cycle is left, or, when `most` nodes were visited again, fewer: remove the lines and call again until none is found.
 * Existing relations have line 0 and alone form no cycle, so that each cycle has a line. The relations of a line begin at
 * one node. A relation is visited once, in logarithmic time, and again each time that the path to it loses a line.
 */
export function findLineCycles(relations: NumberedRelations, most = mostRevisited): LineCycle[] {
  const { starts, edges } = edgesByNode(relations);
  const { nodes, to, line } = relations;
  const state = new Uint8Array(nodes);
  const depths = new Int32Array(nodes);
  const next = starts.slice(0, nodes);
  const found: LineCycle[] = [];
  const failed = new Set<number>();
  let revisited = 0;
  for (let root = 0; root < nodes; root += 1) {
    if (state[root] !== unseen) continue;
    const path = new Path();
    const enter = (node: number, by: number): void => {
      path.push(node, by);
      state[node] = open;
      depths[node] = path.depth;
    };
    /** Leaves the nodes from a depth on, to which a line that fails has led: another way may lead to them. */
    const leaveFrom = (depth: number): void => {
      for (let node = path.node; node !== undefined && path.depth >= depth; node = path.node) {
        state[node] = unseen;
        next[node] = starts[node] ?? 0;
        path.pop();
        revisited += 1;
      }
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
      if (by !== 0 && failed.has(by)) continue;
      if (state[target] === unseen) {
        enter(target, by);
      } else if (state[target] === open) {
        const begin = depths[target] ?? 0;
        const length = path.depth - begin + 1;
        const step = length > 1 ? path.lastStepAfter(begin) : begin;
        const isOnPath = length > 1 && path.lineAt(step) > by;
        const last = isOnPath ? path.lineAt(step) : by;
        failed.add(last);
        found.push({ line: last, nodes: path.nodesFrom(begin, mostCycleNodes), length });
        if (isOnPath) leaveFrom(step);
        if (revisited > most) return found;
      }
    }
  }
  return found;
}
