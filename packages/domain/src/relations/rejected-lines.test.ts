import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rejectedLines } from './rejected-lines.ts';

/** A relation by the numbers of its assets: the second is a child of the first. */
type Relation = readonly [from: number, to: number];

/** Runs to the end without pauses. */
function run(work: Generator<void, number[]>): number[] {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

const closing = (existing: readonly Relation[], wanted: readonly Relation[], most?: number): number[] => {
  const all = [...existing, ...wanted];
  const numbered = {
    nodes: Math.max(0, ...all.flat()) + 1,
    from: Int32Array.from(all, ([from]) => from),
    to: Int32Array.from(all, ([, to]) => to),
    line: Int32Array.from(all.keys(), (n) => Math.max(0, n - existing.length + 1)),
  };
  return run(rejectedLines(numbered, most)).toSorted((a, b) => a - b);
};

function leadsTo(relations: readonly Relation[], [start, end]: Relation): boolean {
  const found = new Set([start]);
  for (const at of found) for (const [from, to] of relations) if (from === at) found.add(to);
  return found.has(end);
}

/** Adds one relation after another, with a search for each. */
function naiveClosing(existing: readonly Relation[], wanted: readonly Relation[]): number[] {
  const relations = [...existing];
  return wanted.flatMap(([from, to], n) => {
    if (leadsTo(relations, [to, from])) return [n + 1];
    relations.push([from, to]);
    return [];
  });
}

describe('relations that would create a cycle', () => {
  const assets = 9;
  const one = fc.nat({ max: assets - 1 });
  const some = fc.array(fc.tuple(one, one), { maxLength: 30 });
  const withoutCycle = (relations: readonly Relation[]): Relation[] => {
    const left = new Set(naiveClosing([], relations));
    return relations.filter((_relation, n) => !left.has(n + 1));
  };

  it.each(['in any order', 'by parent and child'])('are those that a search for each finds, %s', (order) => {
    let found = 0;
    fc.assert(
      fc.property(some, some, (first, second) => {
        const existing = withoutCycle(first);
        const wanted =
          order === 'in any order' ? second : second.toSorted(([a, b], [c, d]) => a - c || b - d);
        const expected = naiveClosing(existing, wanted);
        expect(closing(existing, wanted)).toEqual(expected);
        found += expected.length;
      }),
      { seed: 20_261_129, numRuns: 2000 },
    );
    expect(found).toBeGreaterThan(2000);
  });

  it('are left out, and others of the same cycles too, when no search is allowed', () => {
    fc.assert(
      fc.property(some, some, (first, wanted) => {
        const existing = withoutCycle(first);
        const left = new Set(closing(existing, wanted, 0));
        const added = wanted.filter((_relation, n) => !left.has(n + 1));
        expect(naiveClosing(existing, added)).toEqual([]);
        for (const n of left) {
          const [from, to] = wanted[n - 1] ?? [0, 0];
          expect(leadsTo([...existing, ...wanted], [to, from])).toBe(true);
        }
      }),
      { seed: 20_261_129, numRuns: 500 },
    );
  });

  it('do not exist in a chain of 200,000 assets with relations in another order', () => {
    const count = 200_000;
    const from = Int32Array.from({ length: count }, (_, n) => (n * 7919) % count);
    const to = from.map((n) => n + 1);
    const line = from.map((_node, n) => n + 1);
    expect(run(rejectedLines({ nodes: count + 1, from, to, line }))).toEqual([]);
  });
});
