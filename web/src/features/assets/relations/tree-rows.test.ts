import { describe, expect, it } from 'vitest';
import { actionOf, rowsOf, type Child, type TreeRow } from './tree-rows.ts';

const childOf = (name: string, childCount = 0): Child => ({
  _id: name,
  name,
  description: '',
  assetTypeId: 1,
  childCount,
});

/** site → app, base; app → base; base → disk. The base is below the site in two ways. */
const children: Readonly<Record<string, Child[]>> = {
  root: [childOf('app', 1), childOf('base', 1), childOf('cache')],
  app: [childOf('base', 1)],
  base: [childOf('disk')],
};
const rowsWith = (...expanded: string[]): TreeRow[] =>
  rowsOf(children['root'] ?? [], new Set(expanded), (id) => children[id]);

const shown = (rows: TreeRow[]): string[] =>
  rows.map(
    ({ level, asset, position, siblings }) => `${'-'.repeat(level)} ${asset.name} ${position}/${siblings}`,
  );

describe('rows of the tree', () => {
  it('are those of expanded levels, and an asset reached in two ways is under both', () => {
    expect(shown(rowsWith())).toEqual(['- app 1/3', '- base 2/3', '- cache 3/3']);
    expect(shown(rowsWith('app', 'app/base'))).toEqual([
      '- app 1/3',
      '-- base 1/1',
      '--- disk 1/1',
      '- base 2/3',
      '- cache 3/3',
    ]);
  });

  it('of a level that is not loaded yet are left out', () => {
    const rows = rowsOf([childOf('app', 1)], new Set(['app']), () => undefined);
    expect(shown(rows)).toEqual(['- app 1/1']);
    expect(rows[0]?.isExpanded).toBe(true);
  });

  it('of an asset that has lost its children show no expanded state', () => {
    expect(rowsOf([childOf('app')], new Set(['app']), () => [])[0]?.isExpanded).toBe(false);
  });

  it('exist at any depth', () => {
    const depth = 5000;
    const expanded = { has: () => true } as unknown as Set<string>;
    let loaded = 1;
    const rows = rowsOf([childOf('1', 1)], expanded, () => {
      loaded += 1;
      return loaded <= depth ? [childOf('1', 1)] : [];
    });
    expect(rows.at(-1)?.level).toBe(depth);
  });
});

/** What a key does, as a short text. */
function pressed(rows: TreeRow[], at: string, key: string): string | undefined {
  const row = rows.find((one) => one.key === at);
  const action = row && actionOf(rows, row, key);
  if (action === undefined) return undefined;
  const [name, value] = Object.entries(action)[0] as [string, TreeRow | TreeRow[]];
  return `${name} ${[value]
    .flat()
    .map((one) => one.key)
    .join(' ')}`;
}

describe('a key in the tree (ARIA Tree View)', () => {
  const rows = rowsWith('app', 'app/base');
  it.each([
    ['ArrowDown', 'app', 'move app/base'],
    ['ArrowDown', 'cache', undefined],
    ['ArrowUp', 'base', 'move app/base/disk'],
    ['ArrowUp', 'app', undefined],
    ['ArrowRight', 'base', 'expand base'],
    ['ArrowRight', 'app', 'move app/base'],
    ['ArrowRight', 'cache', undefined],
    ['ArrowLeft', 'app', 'collapse app'],
    ['ArrowLeft', 'app/base/disk', 'move app/base'],
    ['ArrowLeft', 'cache', undefined],
    ['Home', 'cache', 'move app'],
    ['End', 'app', 'move cache'],
    ['Enter', 'base', 'open base'],
    ['*', 'cache', 'expand base'],
    ['c', 'app', 'move cache'],
    ['B', 'base', 'move app/base'],
    ['x', 'app', undefined],
    ['Tab', 'app', undefined],
    [' ', 'app', undefined],
  ])('%s on %s: %s', (key, at, expected) => expect(pressed(rows, at, key)).toBe(expected));
});
