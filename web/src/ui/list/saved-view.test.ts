import { threatList, threats, type SavedView } from '@riskboard/contract';
import { describe, expect, it } from 'vitest';
import { standardLayout, type ListLayout } from '../../lib/list/list-layout.ts';
import type { AnyListState } from '../../lib/list/list-state.ts';
import { defineListSource } from './define-list-source.ts';
import { defineListView, type ListView } from './define-list-view.ts';
import { isChanged, isPristine, layoutOfView, searchToSave, stateOfView, unknownOf } from './saved-view.ts';

const source = defineListSource({
  route: '/dashboard/threats',
  noun: 'threats',
  list: threatList,
  calls: { list: threats.list, facets: threats.facets },
  rows: (reply) => reply.threats,
});
const view = defineListView(source, {
  label: 'Threats',
  row: { id: ({ _id }) => _id, name: ({ name }) => name },
  columns: [
    { field: 'name', rowHeader: true, cell: ({ name }) => name },
    { field: 'kind', cell: ({ kind }) => kind },
    { field: 'impact', hidden: true, cell: ({ impact }) => impact },
  ],
  texts: { empty: '', failure: '' },
}) as unknown as ListView<object, AnyListState, unknown>;

const savedOf = (search: SavedView['search']): SavedView => ({
  _id: '0199f000-0000-7000-8000-000000000001',
  list: '/dashboard/threats',
  name: 'High risk',
  search,
  isDefault: false,
  own: true,
  owner: 'Ada',
  createdAt: '2026-11-21T00:00:00.000Z',
});
const state = view.schema.parse({ risk: 'high', sort: 'name', page: 3 });
const layout: ListLayout = { ...standardLayout, shown: { impact: true, kind: false }, density: 'compact' };

describe('saved view', () => {
  const saved = savedOf(searchToSave(view, state, layout));

  it('contains the differences from the default and the visible columns, but not the page', () => {
    expect(saved.search).toEqual({
      risk: ['high'],
      sort: 'name',
      columns: ['name', 'impact'],
      pinned: true,
      density: 'compact',
    });
  });

  it('is restored as it was saved, on page 1', () => {
    expect(stateOfView(view, saved)).toEqual({ ...state, page: 1, view: saved._id });
    const back = layoutOfView(view, saved, standardLayout);
    expect(searchToSave(view, state, back)).toEqual(saved.search);
    expect(isChanged(view, saved, { state, layout: back, own: standardLayout })).toBe(false);
  });

  it('keeps the range of a level', () => {
    const ranged = view.schema.parse({ impactMin: 4 });
    const kept = savedOf(searchToSave(view, ranged, standardLayout));
    expect(kept.search).toMatchObject({ impactMin: 4 });
    expect(stateOfView(view, kept)).toMatchObject({ impactMin: 4 });
    expect(unknownOf(view, kept)).toEqual([]);
  });

  it('keeps which default columns the user has chosen; the others still depend on the width', () => {
    const chosen = { ...standardLayout, shown: { kind: true } };
    const kept = savedOf(searchToSave(view, state, chosen));
    expect(kept.search).toMatchObject({ columns: ['name', 'kind'], chosen: ['kind'] });
    expect(layoutOfView(view, kept, standardLayout).shown).toEqual({ kind: true });
    const untouched = savedOf(searchToSave(view, state, standardLayout));
    expect(untouched.search).not.toHaveProperty('chosen');
    expect(layoutOfView(view, untouched, standardLayout).shown).toEqual({});
    expect(isChanged(view, untouched, { state, layout: chosen, own: standardLayout })).toBe(true);
    expect(unknownOf(view, kept)).toEqual([]);
  });

  it('detects changes', () => {
    const own = standardLayout;
    const less = { ...state, risk: undefined };
    expect(isChanged(view, saved, { state: less, layout, own })).toBe(true);
    expect(isChanged(view, saved, { state, layout: { ...layout, density: 'comfortable' }, own })).toBe(true);
  });

  it('names unknown columns and filters, and ignores them', () => {
    const old = savedOf({ columns: ['name', 'gone'], risk: ['high', 'lost'], colour: 'red', sort: 'gone' });
    expect(unknownOf(view, old)).toEqual(['gone', 'colour']);
    expect(unknownOf(view, saved)).toEqual([]);
    expect(stateOfView(view, old)).toMatchObject({ risk: ['high'], sort: '-createdAt' });
    expect(searchToSave(view, state, layoutOfView(view, old, standardLayout))['columns']).toEqual(['name']);
  });

  it('keeps the user’s columns when it contains none', () => {
    expect(layoutOfView(view, savedOf({ risk: ['high'] }), layout)).toEqual(layout);
  });

  it('is applied only by a URL without other parameters', () => {
    expect(isPristine(view, { ...view.initial, view: saved._id })).toBe(true);
    expect(isPristine(view, state)).toBe(false);
    expect(isPristine(view, { ...view.initial, risk: undefined })).toBe(true);
  });
});
