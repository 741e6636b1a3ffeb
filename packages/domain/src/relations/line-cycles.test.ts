import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLineCycles, type LineCycle, mostCycleNodes } from './line-cycles.ts';

interface Edge {
  from: number;
  to: number;
  line: number;
}

const cyclesOf = (nodes: number, edges: readonly Edge[], most?: number): LineCycle[] =>
  findLineCycles(
    {
      nodes,
      from: Int32Array.from(edges, ({ from }) => from),
      to: Int32Array.from(edges, ({ to }) => to),
      line: Int32Array.from(edges, ({ line }) => line),
    },
    most,
  );

/** Whether edges of the cycle that no line before has failed have this line as the last one. */
const isLastLine = (edges: readonly Edge[], { line, nodes }: LineCycle): boolean => {
  const steps = nodes.map((from, at) =>
    edges.filter((e) => e.from === from && e.to === nodes[(at + 1) % nodes.length] && e.line <= line),
  );
  return steps.every((step) => step.length > 0) && steps.flat().some((e) => e.line === line);
};

/** Without the edges of nodes that no edge leads on from, again and again: what is left are cycles and ways between them. */
function withoutEnds(edges: readonly Edge[]): readonly Edge[] {
  const rest = edges.filter(({ to }) => edges.some(({ from }) => from === to));
  return rest.length === edges.length ? rest : withoutEnds(rest);
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
        let left: readonly Edge[] = edges;
        for (const cycle of cyclesOf(nodes, edges)) {
          expect(cycle.length).toBe(cycle.nodes.length);
          expect(isLastLine(left, cycle)).toBe(true);
          left = left.filter(({ line }) => line !== cycle.line);
        }
        expect(withoutEnds(left)).toEqual([]);
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

it('a call that visits too many nodes again finds some of the lines, and the next calls the others', () => {
  // From the first node to each of the middle, all of which lead to a chain back to the first one.
  const middle = Array.from({ length: 50 }, (_, n) => n + 1);
  const chain = Array.from({ length: 10 }, (_, n) => ({ from: 51 + n, to: n === 9 ? 0 : 52 + n, line: 0 }));
  let left: Edge[] = [
    ...middle.flatMap((n) => [
      { from: 0, to: n, line: 1 },
      { from: n, to: 51, line: n + 1 },
    ]),
    ...chain,
  ];
  const calls: number[] = [];
  for (;;) {
    const cycles = cyclesOf(61, left, 100);
    if (cycles.length === 0) break;
    calls.push(cycles.length);
    const failed = new Set(cycles.map(({ line }) => line));
    left = left.filter(({ line }) => !failed.has(line));
  }
  expect(calls.length).toBeGreaterThan(1);
  expect(calls.reduce((sum, count) => sum + count)).toBe(middle.length);
  expect(withoutEnds(left)).toEqual([]);
  expect(cyclesOf(61, left)).toEqual([]);
});
