import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cycleOf, type Relation, withoutCycles } from './relations.ts';

const relations = (text: string): Relation[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((pair) => ({ from: pair.charAt(0), to: pair.charAt(1) }));

describe('cycleOf finds', () => {
  it.each([
    ['no cycle in a chain', 'bc cd', 'a', 'b', undefined],
    ['no cycle through unrelated children', 'bc ax', 'a', 'b', undefined],
    ['an asset that would be its own child', '', 'a', 'a', 'aa'],
    ['a cycle over one asset', 'ba', 'a', 'b', 'aba'],
    ['a cycle over three assets', 'bc cd da', 'a', 'b', 'abcda'],
    ['the shortest of two cycles', 'bc cd da ba', 'a', 'b', 'aba'],
    ['a cycle through the second child', 'ca', 'a', 'bc', 'aca'],
  ])('%s', (_name, existing, parent, children, cycle) => {
    expect(cycleOf(relations(existing), { parent, children: children.split('') })?.join('')).toBe(cycle);
  });

  it('a cycle without visiting each of a trillion paths', () => {
    const rungs = Array.from({ length: 40 }, (_, n) => [
      { from: `${n}`, to: `${n}l` },
      { from: `${n}`, to: `${n}r` },
      { from: `${n}l`, to: `${n + 1}` },
      { from: `${n}r`, to: `${n + 1}` },
    ]).flat();
    expect(cycleOf(rungs, { parent: '40', children: ['0'] })).toHaveLength(82);
  });
});

/** Whether a topological order exists (Kahn's algorithm). */
function isAcyclic(all: readonly Relation[]): boolean {
  let left = [...all];
  for (;;) {
    const rest = left.filter(({ from }) => left.some(({ to }) => to === from));
    if (rest.length === left.length) return rest.length === 0;
    left = rest;
  }
}

describe('withoutCycles', () => {
  const asset = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const some = fc.array(fc.record({ from: asset, to: asset }), { maxLength: 20 });

  it('returns acyclic relations, and leaves out only those that would create a cycle', () => {
    fc.assert(
      fc.property(some, some, (first, wanted) => {
        const existing = withoutCycles([], first);
        const had = withoutCycles(existing, wanted);
        expect(isAcyclic([...existing, ...had])).toBe(true);
        for (const relation of wanted) {
          if (had.includes(relation)) continue;
          expect(isAcyclic([...existing, ...had, relation])).toBe(false);
        }
      }),
    );
  });
});
