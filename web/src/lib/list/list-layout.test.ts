import { describe, expect, it } from 'vitest';
import {
  isChosen,
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

describe('table layout', () => {
  it('is as declared until the user moves a column', () => {
    expect(ids(standardLayout)).toEqual(['name', 'cve', 'cvss', 'updated', 'actions']);
  });

  it('has the chosen order; first and last columns stay, unknown ones are ignored', () => {
    expect(ids(withOrder('updated', 'gone', 'actions', 'cvss', 'cve', 'name'))).toEqual([
      'name',
      'updated',
      'cvss',
      'cve',
      'actions',
    ]);
  });

  it('puts a new column after its declared neighbor', () => {
    expect(ids(withOrder('name', 'updated', 'cve', 'actions'))).toEqual([
      'name',
      'updated',
      'cve',
      'cvss',
      'actions',
    ]);
  });

  it('moves a column to a position within the ends', () => {
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

  it('shows and hides columns, and stores what the user has chosen', () => {
    const [, cve, , updated] = columns;
    const less = withShown(standardLayout, cve, false);
    expect(isShown(cve, less)).toBe(false);
    expect(isShown(cve, standardLayout)).toBe(true);
    expect(isChosen(cve, standardLayout)).toBe(false);
    expect(isChosen(cve, withShown(less, cve, true))).toBe(true);
    expect(isShown(updated, standardLayout)).toBe(false);
    expect(isShown(updated, withShown(standardLayout, updated, true))).toBe(true);
  });

  it('never hides the row header or the last column', () => {
    const without = { ...standardLayout, shown: { name: false } };
    expect(isShown(columns[0], without)).toBe(true);
    expect(isShown({ id: 'name', required: true }, without)).toBe(true);
  });

  it.each([{}, { order: 'x', shown: [], pinned: 1, density: 'huge' }])(
    'reads the invalid stored layout %j as the default',
    (kept) => {
      expect(layoutOf(kept)).toEqual(standardLayout);
    },
  );
});
