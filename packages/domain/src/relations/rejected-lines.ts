import { type Components, componentsOf, relationsInside } from './components.ts';
import { edgesByNode, type NumberedRelations } from './numbered-relations.ts';

/** Nodes and relations that the searches of one call may visit: some seconds. */
const mostVisited = 100_000_000;

/** Those visited between two pauses. */
const partSize = 200_000;

/** Counts the nodes and relations that searches visit. */
class Visits {
  #left: number;
  #pause: number;

  constructor(most: number) {
    this.#left = most;
    this.#pause = most - partSize;
  }

  add(count: number): void {
    this.#left -= count;
  }

  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Whether a part is complete since the last one. */
  isPause(): boolean {
    if (this.#left > this.#pause) return false;
    this.#pause = this.#left - partSize;
    return true;
  }
}

/** Nodes in an order, and the position of each. */
interface Order {
  nodes: Int32Array;
  positions: Int32Array;
}

/**
 * A topological order of the existing relations and of most of the wanted ones. When each node that is not placed yet
 * follows another one, the relation with the last line of one of their cycles is ignored; beyond the visits, all wanted
 * ones are. Components stay together.
 */
function* orderOf(
  relations: NumberedRelations,
  components: Components,
  visits: Visits,
): Generator<void, Order> {
  const { nodes, from, to, line } = relations;
  const children = edgesByNode(relations);
  const parents = edgesByNode({ ...relations, from: to });
  const order: Order = { nodes: new Int32Array(nodes), positions: new Int32Array(nodes).fill(-1) };
  const isPlaced = (node: number): boolean => order.positions[node] !== -1;
  const ignored = new Uint8Array(to.length);
  /** Relations from nodes that are not placed yet. */
  const awaited = new Int32Array(nodes);
  for (const node of to) awaited[node] = (awaited[node] ?? 0) + 1;
  const next = parents.starts.slice(0, nodes);
  const indexes = new Int32Array(nodes).fill(-1);
  let placed = 0;

  function append(first: number): void {
    const ready = [first];
    for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
      order.positions[node] = placed;
      order.nodes[placed] = node;
      placed += 1;
      for (let at = children.starts[node] ?? 0; at < (children.starts[node + 1] ?? 0); at += 1) {
        const edge = children.edges[at] ?? 0;
        const target = to[edge] ?? 0;
        if (ignored[edge] === 1) continue;
        awaited[target] = (awaited[target] ?? 0) - 1;
        if (awaited[target] === 0) ready.push(target);
      }
    }
  }

  function ignore(edge: number): void {
    if (ignored[edge] === 1 || isPlaced(from[edge] ?? 0)) return;
    const target = to[edge] ?? 0;
    ignored[edge] = 1;
    awaited[target] = (awaited[target] ?? 0) - 1;
    if (awaited[target] === 0) append(target);
  }

  /** A relation to the node from one that is not placed yet. */
  function awaitedBy(node: number): number {
    for (let at = next[node] ?? 0; ; at += 1) {
      const edge = parents.edges[at] ?? 0;
      if (ignored[edge] === 1 || isPlaced(from[edge] ?? 0)) continue;
      next[node] = at;
      return edge;
    }
  }

  /** Walks upwards, and ignores a relation of each cycle that the walk closes, until the node is placed. */
  function* appendByWalk(start: number): Generator<void> {
    const path = [start];
    /** The relation from each node of the path to the previous one. */
    const way = [-1];
    indexes[start] = 0;
    const shorten = (length: number): void => {
      for (const node of path.splice(length)) indexes[node] = -1;
      way.length = path.length;
    };
    while (!isPlaced(start)) {
      const node = path.at(-1) ?? start;
      const edge = awaitedBy(node);
      const parent = from[edge] ?? 0;
      const begin = indexes[parent] ?? -1;
      visits.add(1);
      if (begin === -1) {
        indexes[parent] = path.length;
        path.push(parent);
        way.push(edge);
        continue;
      }
      visits.add(path.length - begin);
      if (visits.isPause()) yield;
      let last = path.length;
      way.push(edge);
      for (let n = begin + 1; n < way.length; n += 1)
        if ((line[way[n] ?? 0] ?? 0) > (line[way[last] ?? 0] ?? 0)) last = n;
      const closing = way[last] ?? 0;
      way.pop();
      if (!visits.isOver) ignore(closing);
      else line.forEach((one, wanted) => one !== 0 && ignore(wanted));
      shorten(last);
      while (path.length > 0 && isPlaced(path.at(-1) ?? 0)) shorten(path.length - 1);
    }
    shorten(0);
  }

  for (const node of components.nodes) {
    if (isPlaced(node)) continue;
    if (awaited[node] === 0) append(node);
    else yield* appendByWalk(node);
  }
  return order;
}

/** Moves the chosen nodes of a part of the order before the others; both keep their order. */
function moveBefore(
  { nodes, positions }: Order,
  part: { first: number; last: number },
  isChosen: (node: number) => boolean,
): void {
  const others: number[] = [];
  let at = part.first;
  const put = (node: number): void => {
    nodes[at] = node;
    positions[node] = at;
    at += 1;
  };
  for (let n = part.first; n <= part.last; n += 1) {
    const node = nodes[n] ?? 0;
    if (isChosen(node)) put(node);
    else others.push(node);
  }
  for (const node of others) put(node);
}

/**
 * The lines of the relations that would create a cycle, when the relations are added in the order of their lines and
 * without those that would. Existing relations have line 0 and form no cycle; the others have the lines from 1 on, one
 * each. A long search yields for the caller to pause.
 *
 * Only relations between nodes of one strongly connected component can be part of a cycle. An order of the nodes that
 * agrees with all accepted relations decides most of those, too. A relation to an earlier node needs a search upwards
 * from its parent, one for all consecutive relations of the parent, which ends at that node's position. Beyond `most`
 * visited nodes and relations, relations to an earlier node are left out without a search.
 */
export function* rejectedLines(relations: NumberedRelations, most = mostVisited): Generator<void, number[]> {
  const closing: number[] = [];
  relations.from.forEach((node, edge) => {
    if (node === relations.to[edge]) closing.push(relations.line[edge] ?? 0);
  });
  const components = componentsOf(relations);
  yield;
  const inside = relationsInside(relations, components);
  const { nodes, from, to, line } = inside;
  if (from.length === 0) return closing;
  const order = yield* orderOf(inside, components, new Visits(most));
  yield;
  const visits = new Visits(most);
  const { starts, edges } = edgesByNode({ ...inside, from: to });
  const accepted = Uint8Array.from(line, (one) => Number(one === 0));

  /** The search that found each node last. */
  const foundBy = new Int32Array(nodes);
  let searches = 0;

  /** Whether accepted relations lead from a node to this one, by way of nodes from a position on. */
  function searchUp(node: number, first: number): (other: number) => boolean {
    searches += 1;
    const search = searches;
    foundBy[node] = search;
    const open = [node];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const end = starts[at + 1] ?? 0;
      visits.add(end - (starts[at] ?? 0));
      for (let n = starts[at] ?? 0; n < end; n += 1) {
        const edge = edges[n] ?? 0;
        const parent = from[edge] ?? 0;
        if (accepted[edge] === 0 || foundBy[parent] === search) continue;
        if ((order.positions[parent] ?? 0) < first) continue;
        foundBy[parent] = search;
        open.push(parent);
      }
    }
    return (other) => foundBy[other] === search;
  }

  /** Accepts relations of one parent unless they lead to an ancestor of it. */
  function decide(parent: number, children: Int32Array): void {
    const last = order.positions[parent] ?? 0;
    const positionOf = (edge: number): number => order.positions[to[edge] ?? 0] ?? 0;
    const first = children.reduce((least, edge) => Math.min(least, positionOf(edge)), last);
    const isSearched = first < last && !visits.isOver;
    const isAbove = isSearched ? searchUp(parent, first) : undefined;
    for (const edge of children) {
      const closes = isAbove ? isAbove(to[edge] ?? 0) : positionOf(edge) < last;
      if (closes) closing.push(line[edge] ?? 0);
      else accepted[edge] = 1;
    }
    if (!isAbove) return;
    visits.add(last - first);
    moveBefore(order, { first, last }, isAbove);
  }

  const edgeOf = new Int32Array(relations.line.length + 1).fill(-1);
  line.forEach((one, edge) => {
    if (one !== 0) edgeOf[one] = edge;
  });
  const wanted = edgeOf.filter((edge) => edge !== -1);
  let begin = 0;
  for (const [index, edge] of wanted.entries()) {
    const parent = from[edge] ?? 0;
    const next = wanted[index + 1];
    if (next !== undefined && from[next] === parent) continue;
    decide(parent, wanted.subarray(begin, index + 1));
    begin = index + 1;
    if (visits.isPause()) yield;
  }
  return closing;
}
