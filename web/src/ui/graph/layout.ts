import Graphology from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import type { Point } from './zoom.ts';

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

/** Half the width of the layout of so many nodes. */
const roomFor = (count: number): number => Math.min(mostRadius, roomPerNode * Math.sqrt(count));

/** Iterations of the simulation: more for fewer nodes, so that the time is about the same. */
const roundsFor = (count: number): number => Math.round(Math.min(300, Math.max(40, 60_000 / (count + 1))));

/** Indexes of the nodes related to each node. */
function neighboursOf({ count, ends }: LayoutInput): number[][] {
  const neighbours = Array.from({ length: count }, (): number[] => []);
  for (let i = 0; i + 1 < ends.length; i += 2) {
    const [from, to] = [ends[i] ?? 0, ends[i + 1] ?? 0];
    neighbours[from]?.push(to);
    neighbours[to]?.push(from);
  }
  return neighbours;
}

/** Nodes grouped by distance from the center, with neighbors next to each other: a good and deterministic start. */
function levelsOf(input: LayoutInput): number[][] {
  const { count, centre } = input;
  const neighbours = neighboursOf(input);
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
    // An odd number of angles: an edge between nodes that face each other would be hidden behind the central node.
    const angles = level.length + 1 - (level.length % 2);
    for (const [index, node] of level.entries()) {
      const angle = (2 * Math.PI * index) / angles + distance;
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
  const room = roomFor(count);
  const least = room / Math.max(wide, tall);
  const across = Math.min(room / wide, least * mostStretch);
  const down = Math.min(room / tall, least * mostStretch);
  return Float32Array.from(positions.flatMap(({ x, y }) => [(x - origin.x) * across, (y - origin.y) * down]));
}

/** Points around a node that are tried at each distance. */
const directions = 12;

/**
 * Positions of the nodes of a changed graph, as `layoutOf` returns them: nodes with a `known` position keep it, and the
 * others get a free one near a node that they are related to. Deterministic.
 */
export function extendedLayout(input: LayoutInput, known: readonly (Point | undefined)[]): Float32Array {
  const { count } = input;
  const neighbours = neighboursOf(input);
  const points = [...known];
  const gap = roomFor(count) / Math.sqrt(Math.max(1, count));
  const isFree = ({ x, y }: Point) =>
    points.every((other) => other === undefined || Math.hypot(other.x - x, other.y - y) > 0.9 * gap);

  function freePoint(near: Point): Point {
    for (let attempt = 0; ; attempt += 1) {
      const distance = gap * (1 + Math.floor(attempt / directions));
      const angle = (2 * Math.PI * attempt) / directions;
      const point = { x: near.x + distance * Math.cos(angle), y: near.y + distance * Math.sin(angle) };
      if (isFree(point)) return point;
    }
  }

  const bottom = points.reduce<Point>((low, point) => (point && point.y < low.y ? point : low), {
    x: 0,
    y: 0,
  });
  /** Nodes that have a position and may have neighbors without one. */
  const queue = points.flatMap((point, node) => (point === undefined ? [] : [node]));
  for (let start = 0; start < count; start += 1) {
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      for (const other of neighbours[node] ?? []) {
        if (points[other] !== undefined) continue;
        points[other] = freePoint(points[node] ?? bottom);
        queue.push(other);
      }
    }
    if (points[start] !== undefined) continue;
    points[start] = freePoint(bottom);
    queue.push(start);
  }
  return Float32Array.from(points.flatMap((point) => [point?.x ?? 0, point?.y ?? 0]));
}
