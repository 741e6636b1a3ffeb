import { technicalImpacts } from '@riskboard/domain';
import { describe, expect, test } from 'vitest';
import { cellAfter, cellName, cellsOf, changedCells, heatOf, highestOf, positions } from './scorecard.ts';

const press = (index: number, key: string, ctrlKey = false) => cellAfter(index, { key, ctrlKey });

describe('the grid of a scorecard', () => {
  test('has 32 cells, row by row', () => {
    expect(positions).toHaveLength(32);
    expect(cellName(5)).toBe('Read data, Application');
  });

  test('arrow keys move by one cell and stop at the edges', () => {
    expect(press(5, 'ArrowUp')).toBe(1);
    expect(press(5, 'ArrowDown')).toBe(9);
    expect(press(5, 'ArrowLeft')).toBe(4);
    expect(press(5, 'ArrowRight')).toBe(6);
    expect(press(0, 'ArrowUp')).toBe(0);
    expect(press(0, 'ArrowLeft')).toBe(0);
    expect(press(31, 'ArrowDown')).toBe(31);
    expect(press(31, 'ArrowRight')).toBe(31);
  });

  test('Home and End lead to the ends of the row, with Control to those of the grid', () => {
    expect(press(6, 'Home')).toBe(4);
    expect(press(6, 'End')).toBe(7);
    expect(press(6, 'Home', true)).toBe(0);
    expect(press(6, 'End', true)).toBe(31);
    expect(press(6, 'a')).toBeUndefined();
  });

  test('the highest rating of each row decides, a row without ratings has none', () => {
    const cell = (
      impact: (typeof technicalImpacts)[number],
      layer: 'System' | 'Network',
      subscore: number,
    ) => ({
      impact,
      layer,
      subscore,
      notes: '',
    });
    const cells = cellsOf([
      cell('Modify data', 'System', 7),
      cell('Modify data', 'Network', 9.5),
      cell('Read data', 'System', 0),
      cell('Hide activities', 'System', 4),
      cell('Hide activities', 'Network', 4),
    ]);
    expect([...highestOf(cells.map((one) => one?.subscore))]).toEqual([2, 4, 28, 30]);
  });

  test('a removed rating, a new note and a changed rating are changes', () => {
    const base = { impact: 'Modify data', layer: 'System', subscore: 7, notes: '' } as const;
    const before = cellsOf([base, { ...base, layer: 'Network' }, { ...base, layer: 'Enterprise' }]);
    const after = cellsOf([
      { ...base, subscore: 0 },
      { ...base, layer: 'Network', notes: 'Backups.' },
      { ...base, layer: 'Application', subscore: 0 },
    ]);
    expect(changedCells(before, after)).toEqual([0, 1, 2, 3]);
    expect(changedCells(before, before)).toEqual([]);
  });

  test('a cell without a rating is not on the scale of the ratings', () => {
    expect(heatOf(null)).not.toBe(heatOf(0));
    expect(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(heatOf)).size).toBe(11);
  });
});
