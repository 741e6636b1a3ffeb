import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLineCycles, type LineCycle, mostCycleNodes } from './line-cycles.ts';

interface Edge {
  from: number;
  to: number;
  line: number;
}

const cyclesOf = (nodes: number, edges: readonly Edge[]): LineCycle[] =>
  findLineCycles({
    nodes,
    from: Int32Array.from(edges, ({ from }) => from),
    to: Int32Array.from(edges, ({ to }) => to),
    line: Int32Array.from(edges, ({ line }) => line),
  });

const isClosed = (edges: readonly Edge[], { line, nodes }: LineCycle): boolean =>
  nodes.every((from, at) => edges.some((e) => e.from === from && e.to === nodes[(at + 1) % nodes.length])) &&
  edges.some((e) => e.line === line && nodes.includes(e.from) && nodes.includes(e.to));

/** As the search with the whole path at hand would find them. */
function cyclesBySearch(nodes: number, edges: readonly Edge[]): number[] {
  const state = new Map<number, 'open' | 'done'>();
  const failed: number[] = [];
  const visit = (node: number, path: readonly Edge[]): void => {
    state.set(node, 'open');
    for (const edge of edges.filter(({ from }) => from === node)) {
      if (!state.has(edge.to)) visit(edge.to, [...path, edge]);
      else if (state.get(edge.to) === 'open') {
        const begin = path.findIndex(({ from }) => from === edge.to);
        const lines = [edge, ...(begin === -1 ? [] : path.slice(begin))].map(({ line }) => line);
        if (!lines.some((line) => failed.includes(line))) failed.push(Math.max(...lines));
      }
    }
    state.set(node, 'done');
  };
  for (let node = 0; node < nodes; node += 1) if (!state.has(node)) visit(node, []);
  return failed;
}

describe('lines that close a cycle', () => {
  it('are the last lines of the cycles of any relations, whose lines begin at one node', () => {
    const nodes = 8;
    // Lines 1 to 16, two of each node.
    const edge = fc
      .record({ from: fc.nat(nodes - 1), to: fc.nat(nodes - 1), second: fc.boolean(), order: fc.boolean() })
      .map(({ from, to, second, order }) => {
        const position = order ? from : (from * 5) % nodes;
        return { from, to, line: 1 + position + (second ? nodes : 0) };
      })
      .map(({ from, to, line }) => ({ from, to, line: line * 100 + from }));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 24 }), (edges) => {
        const found = cyclesOf(nodes, edges);
        expect(found.map(({ line }) => line)).toEqual(cyclesBySearch(nodes, edges));
        for (const cycle of found) {
          expect(cycle.length).toBe(cycle.nodes.length);
          expect(isClosed(edges, cycle)).toBe(true);
        }
      }),
    );
  });

  it(
    'are found among a hundred thousand cycles of up to a hundred thousand nodes',
    { timeout: 30_000 },
    () => {
      const nodes = 100_000;
      const chain = Array.from({ length: nodes - 1 }, (_, from) => ({ from, to: from + 1, line: 0 }));
      const back = Array.from({ length: nodes }, (_, from) => ({ from, to: 0, line: from + 1 }));
      const found = cyclesOf(nodes, [...chain, ...back]);
      expect(found).toHaveLength(nodes);
      const longest = found.find(({ length }) => length === nodes);
      expect(longest).toEqual({
        line: nodes,
        nodes: Array.from({ length: mostCycleNodes }, (_, node) => node),
        length: nodes,
      });
      // Lines of the file that all lead on and back to the first: the step of each line is on the path.
      const both = chain.flatMap(({ from, to }) => [
        { from, to: 0, line: nodes - from },
        { from, to, line: nodes - from },
      ]);
      expect(cyclesOf(nodes, both).map(({ line }) => line)).toEqual([nodes]);
    },
  );
});

it('without the lines that close a cycle, repeated until no cycle is found, relations form no cycle', () => {
  const edge = fc.record({ from: fc.nat(5), to: fc.nat(5), line: fc.integer({ min: 1, max: 6 }) });
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 14 }), (edges) => {
      let left = edges;
      for (;;) {
        const cycles = findLineCycles({
          nodes: 6,
          from: Int32Array.from(left, ({ from }) => from),
          to: Int32Array.from(left, ({ to }) => to),
          line: Int32Array.from(left, ({ line }) => line),
        });
        if (cycles.length === 0) break;
        const failed = new Set(cycles.map(({ line }) => line));
        left = left.filter(({ line }) => !failed.has(line));
      }
      let rest = left;
      for (let before = -1; before !== rest.length;) {
        before = rest.length;
        const all = rest;
        rest = all.filter(({ to }) => all.some(({ from }) => from === to));
      }
      expect(rest).toEqual([]);
    }),
    { seed: 20_261_122 },
  );
});
