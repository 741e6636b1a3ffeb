import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { circleOf, type Relation, withoutCircles } from './relations.ts';

const relations = (text: string): Relation[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((pair) => ({ from: pair.charAt(0), to: pair.charAt(1) }));

describe('a circle', () => {
  it.each([
    ['there is none', 'bc cd', 'a', 'b', undefined],
    ['none through what hangs elsewhere', 'bc ax', 'a', 'b', undefined],
    ['itself', '', 'a', 'a', 'aa'],
    ['over one', 'ba', 'a', 'b', 'aba'],
    ['over three', 'bc cd da', 'a', 'b', 'abcda'],
    ['the shortest of two', 'bc cd da ba', 'a', 'b', 'aba'],
    ['through the second child', 'ca', 'a', 'bc', 'aca'],
  ])('%s', (_name, existing, parent, children, circle) => {
    expect(circleOf(relations(existing), { parent, children: children.split('') })?.join('')).toBe(circle);
  });

  it('is found in a ladder with a million ways in no time', () => {
    const rungs = Array.from({ length: 40 }, (_, n) => [
      { from: `${n}`, to: `${n}l` },
      { from: `${n}`, to: `${n}r` },
      { from: `${n}l`, to: `${n + 1}` },
      { from: `${n}r`, to: `${n + 1}` },
    ]).flat();
    expect(circleOf(rungs, { parent: '40', children: ['0'] })).toHaveLength(82);
  });
});

/** Whether everything can be laid out so that nothing hangs on what comes after it (Kahn). */
function hasNoCircle(all: readonly Relation[]): boolean {
  let left = [...all];
  for (;;) {
    const rest = left.filter(({ from }) => left.some(({ to }) => to === from));
    if (rest.length === left.length) return rest.length === 0;
    left = rest;
  }
}

describe('relations without circles', () => {
  const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const some = fc.array(fc.record({ from: letter, to: letter }), { maxLength: 20 });

  it('have none, and what was left out would close one', () => {
    fc.assert(
      fc.property(some, some, (first, wanted) => {
        const existing = withoutCircles([], first);
        const had = withoutCircles(existing, wanted);
        expect(hasNoCircle([...existing, ...had])).toBe(true);
        for (const relation of wanted) {
          if (had.includes(relation)) continue;
          expect(hasNoCircle([...existing, ...had, relation])).toBe(false);
        }
      }),
    );
  });
});
