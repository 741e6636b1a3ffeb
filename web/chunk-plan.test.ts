import { describe, expect, it } from 'vitest';
import { type Load, type Part, planChunks } from './chunk-plan.ts';

const part = (id: string, bytes: number, imports: readonly string[] = []): Part => ({
  id,
  bytes,
  imports,
  isFixed: false,
});
const load = (parts: readonly string[], mostFiles: number, mostAdded = 1000): Load => ({
  parts: new Set(parts),
  mostFiles,
  mostAdded,
  weight: 1,
});
const sorted = (groups: readonly string[][]) =>
  groups
    .map((ids) => ids.toSorted().join(' '))
    .toSorted()
    .map((ids) => ids.split(' '));

describe('the plan of shared files', () => {
  it('merges parts that the same pages need', () => {
    const parts = [part('a', 10), part('b', 10), part('c', 10)];
    expect(sorted(planChunks(parts, [load(['a', 'b', 'c'], 9), load(['c'], 9)]))).toEqual([
      ['a', 'b'],
      ['c'],
    ]);
  });

  it('merges the parts that add the fewest bytes to other pages, until no page has too many files', () => {
    const parts = [part('both', 50), part('large', 900), part('small', 20)];
    const loads = [load(['both', 'large', 'small'], 2), load(['both'], 2)];
    expect(sorted(planChunks(parts, loads))).toEqual([['both'], ['large', 'small']]);
    expect(sorted(planChunks(parts.slice(0, 2), [load(['both', 'large'], 1), load(['both'], 2)]))).toEqual([
      ['both', 'large'],
    ]);
  });

  it('keeps a page below its limit of bytes', () => {
    const parts = [part('both', 50), part('large', 900)];
    const loads = [load(['both', 'large'], 1), load(['both'], 2, 899)];
    expect(sorted(planChunks(parts, loads))).toEqual([['both'], ['large']]);
  });

  it('counts what a merged part imports for the pages that get it', () => {
    const parts = [part('both', 10), part('tiny', 1, ['large']), part('large', 900)];
    const loads = [load(['both', 'tiny', 'large'], 2), load(['both'], 2, 500), load(['large'], 2)];
    expect(sorted(planChunks(parts, loads))).not.toContainEqual(['both', 'tiny']);
  });

  it('does not merge a small part with a library or with a part that imports it, except with each other', () => {
    const parts = [
      part('card', 10),
      part('drawing', 10, ['library']),
      { ...part('library', 900), isLarge: true },
      part('other', 10),
    ];
    const loads = [load(['card', 'drawing', 'library', 'other'], 1), load(['other'], 1)];
    expect(sorted(planChunks(parts, loads))).toEqual([
      ['card', 'other'],
      ['drawing', 'library'],
    ]);
  });

  it('does not merge two parts with one between them that stays separate', () => {
    const parts = [
      part('top', 10, ['middle']),
      { ...part('middle', 10, ['bottom']), isFixed: true },
      part('bottom', 10),
    ];
    const loads = [load(['top', 'middle', 'bottom'], 1), load(['middle', 'bottom'], 2), load(['bottom'], 2)];
    expect(sorted(planChunks(parts, loads))).toEqual([['bottom'], ['top']]);
  });

  it('leaves parts that no page needs to the bundler', () => {
    expect(planChunks([part('a', 10), part('chart', 10)], [load(['a'], 1)])).toEqual([['a']]);
  });
});
