import { describe, expect, it } from 'vitest';
import {
  isShown,
  layoutOf,
  ordered,
  standardLayout,
  withMoved,
  withShown,
  type ListLayout,
} from './list-layout.ts';

const columns = [
  { id: 'name', fixed: 'first' },
  { id: 'cve' },
  { id: 'cvss' },
  { id: 'updated', hidden: true },
  { id: 'actions', fixed: 'last' },
] as const;
const ids = (layout: ListLayout) => ordered(columns, layout).map(({ id }) => id);
const withOrder = (...order: string[]): ListLayout => ({ ...standardLayout, order });

describe('layout of a table', () => {
  it('is as declared until somebody moves a column', () => {
    expect(ids(standardLayout)).toEqual(['name', 'cve', 'cvss', 'updated', 'actions']);
  });

  it('is in the order that was chosen; the first and the last stay, unknown ones are passed over', () => {
    expect(ids(withOrder('updated', 'gone', 'actions', 'cvss', 'cve', 'name'))).toEqual([
      'name',
      'updated',
      'cvss',
      'cve',
      'actions',
    ]);
  });

  it('puts a column that has come since after its neighbour', () => {
    expect(ids(withOrder('name', 'updated', 'cve', 'actions'))).toEqual([
      'name',
      'updated',
      'cve',
      'cvss',
      'actions',
    ]);
  });

  it('moves a column to a place, and no further than the ends', () => {
    expect(ids(withMoved(columns, standardLayout, { id: 'cvss', to: 1 }))).toEqual([
      'name',
      'cvss',
      'cve',
      'updated',
      'actions',
    ]);
    expect(ids(withMoved(columns, standardLayout, { id: 'cve', to: 99 })).at(-2)).toBe('cve');
    expect(withMoved(columns, standardLayout, { id: 'gone', to: 1 })).toBe(standardLayout);
  });

  it('shows and hides, and writes down only what is not the standard', () => {
    const [, cve, , updated] = columns;
    const less = withShown(standardLayout, cve, false);
    expect(isShown(cve, less)).toBe(false);
    expect(withShown(less, cve, true)).toEqual(standardLayout);
    expect(isShown(updated, standardLayout)).toBe(false);
    expect(isShown(updated, withShown(standardLayout, updated, true))).toBe(true);
  });

  it('never hides what names or ends a row', () => {
    const without = { ...standardLayout, shown: { name: false } };
    expect(isShown(columns[0], without)).toBe(true);
    expect(isShown({ id: 'name', required: true }, without)).toBe(true);
  });

  it.each([{}, { order: 'x', shown: [], pinned: 1, density: 'huge' }])('reads %j as the standard', (kept) => {
    expect(layoutOf(kept)).toEqual(standardLayout);
  });
});
