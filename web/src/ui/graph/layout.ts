import Graphology from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';

/** A graph as numbers, which can be sent to a worker cheaply. */
export interface LayoutInput {
  count: number;
  /** Indexes of source and target of each edge, alternating. */
  ends: Uint32Array;
  /** Index of the central node; -1 for none. */
  centre: number;
}

/** Half the width of the largest layout: it fits into 600 px at the minimum zoom, 0.1 (spec 9). */
const mostRadius = 2700;
/** Space per node, so that labels are readable. */
const roomPerNode = 150;

/** Iterations of the simulation: more for fewer nodes, so that the time is about the same. */
const roundsFor = (count: number): number => Math.round(Math.min(300, Math.max(40, 60_000 / (count + 1))));

/** Nodes grouped by distance from the center, with neighbors next to each other: a good and deterministic start. */
function levelsOf({ count, ends, centre }: LayoutInput): number[][] {
  const neighbours = Array.from({ length: count }, (): number[] => []);
  for (let i = 0; i + 1 < ends.length; i += 2) {
    const [from, to] = [ends[i] ?? 0, ends[i + 1] ?? 0];
    neighbours[from]?.push(to);
    neighbours[to]?.push(from);
  }
  const seen = new Set<number>(centre === -1 ? [] : [centre]);
  const levels: number[][] = [[...seen]];
  for (let level = levels[0] ?? []; level.length > 0;) {
    const next: number[] = [];
    for (const other of level.flatMap((node) => neighbours[node] ?? [])) {
      if (seen.has(other)) continue;
      seen.add(other);
      next.push(other);
    }
    levels.push(next);
    level = next;
  }
  levels.push(Array.from({ length: count }, (_, node) => node).filter((node) => !seen.has(node)));
  return levels.filter((level) => level.length > 0);
}

/**
 * Positions of the nodes: alternating x and y, in pixels at zoom 1, with the central node at 0, 0. Deterministic:
 * levels by distance first, then ForceAtlas2.
 */
export function layoutOf(input: LayoutInput): Float32Array {
  const { count, ends, centre } = input;
  const graph = new Graphology({ multi: true, type: 'undirected' });
  for (let node = 0; node < count; node += 1) graph.addNode(node);
  for (const [distance, level] of levelsOf(input).entries()) {
    const radius = 100 * (distance + (centre === -1 ? 1 : 0));
    // An odd number: an edge between nodes that face each other would be hidden behind the central node.
    const divisions = level.length + 1 - (level.length % 2);
    for (const [index, node] of level.entries()) {
      const angle = (2 * Math.PI * index) / divisions + distance;
      graph.mergeNodeAttributes(node, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) });
    }
  }
  for (let i = 0; i + 1 < ends.length; i += 2) {
    if (ends[i] !== ends[i + 1]) graph.addEdge(ends[i], ends[i + 1]);
  }
  const positions = forceAtlas2(graph, {
    iterations: roundsFor(count),
    getEdgeWeight: null,
    settings: {
      ...forceAtlas2.inferSettings(Math.max(2, count)),
      barnesHutOptimize: count > 200,
      barnesHutTheta: 1,
    },
  });
  return scaled(
    Array.from({ length: count }, (_, node) => positions[node] ?? { x: 0, y: 0 }),
    centre,
  );
}

/** Maximum ratio between the stretch factors of the axes, so that a chain stays a chain. */
const mostStretch = 2.5;

/**
 * Scales the layout to the size that its nodes need, with the central node, or the center of all nodes, at 0, 0. A
 * flat layout is stretched towards a square, because horizontal labels above each other are readable.
 */
function scaled(positions: readonly { x: number; y: number }[], centre: number): Float32Array {
  const count = Math.max(1, positions.length);
  const mean = { x: 0, y: 0 };
  for (const { x, y } of positions) {
    mean.x += x / count;
    mean.y += y / count;
  }
  const origin = positions[centre] ?? mean;
  const wide = Math.max(1e-6, ...positions.map(({ x }) => Math.abs(x - mean.x)));
  const tall = Math.max(1e-6, ...positions.map(({ y }) => Math.abs(y - mean.y)));
  const room = Math.min(mostRadius, roomPerNode * Math.sqrt(count));
  const least = room / Math.max(wide, tall);
  const across = Math.min(room / wide, least * mostStretch);
  const down = Math.min(room / tall, least * mostStretch);
  return Float32Array.from(positions.flatMap(({ x, y }) => [(x - origin.x) * across, (y - origin.y) * down]));
}
