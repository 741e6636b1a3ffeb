import type { SavedView } from '@riskboard/contract';
import {
  densityOf,
  isChosen,
  isShown,
  ordered,
  stringsOf,
  withShown,
  type ArrangedColumn,
  type ListLayout,
} from '../../lib/list/list-layout.ts';
import type { AnyListState } from '../../lib/list/list-state.ts';
import type { ListView } from './define-list-view.ts';

/** The parts of a list that saved views use. */
type Saving = Pick<ListView<object, AnyListState, unknown>, 'schema' | 'initial' | 'standard'> & {
  readonly columns: readonly ArrangedColumn[];
};

type Search = SavedView['search'];

/** Keys of the table layout in a view; no list has filters with these names. */
const lookOf = ({ columns, chosen, pinned, density }: Search) => ({
  columns: stringsOf(columns),
  /** Columns that are shown by default and that the user has chosen too, for tables of every width. */
  chosen: stringsOf(chosen),
  pinned: typeof pinned === 'boolean' ? pinned : undefined,
  density: densityOf(density),
});
const lookNames = new Set(Object.keys(lookOf({})));

/** Navigation state, which is not saved. */
const passing = new Set(['page', 'view']);

/** The saved form of a list: its sort, its other differences from the default, and the visible columns. */
export function searchToSave(view: Saving, state: AnyListState, layout: ListLayout): Search {
  const set = Object.entries(state).filter(
    ([name, value]) =>
      value !== undefined &&
      !passing.has(name) &&
      // Always saved: the default sort of a page may change later.
      (name === 'sort' || JSON.stringify(value) !== JSON.stringify(view.initial[name])),
  );
  const shown = ordered(view.columns, layout).filter((column) => isShown(column, layout));
  const chosen = shown.filter((column) => column.hidden !== true && isChosen(column, layout));
  return {
    ...Object.fromEntries(set.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    columns: shown.map(({ id }) => id),
    ...(chosen.length > 0 && { chosen: chosen.map(({ id }) => id) }),
    pinned: layout.pinned,
    density: layout.density,
  };
}

/** The list state of a saved view; unknown filters are ignored. Without a sort it has the contract's default sort. */
export function stateOfView(view: Saving, { _id, search }: SavedView): AnyListState {
  const known = Object.entries(search).filter(([name]) => !lookNames.has(name) && !passing.has(name));
  const meant = { sort: view.standard, ...Object.fromEntries(known) };
  return { ...view.schema.parse(meant), page: 1, view: _id };
}

/** The table layout of a saved view; parts that the view does not contain are the user's own. */
export function layoutOfView(view: Saving, { search }: SavedView, own: ListLayout): ListLayout {
  const { columns, chosen = [], pinned = own.pinned, density = own.density } = lookOf(search);
  if (columns === undefined) return { ...own, pinned, density };
  let shown: ListLayout = { ...own, shown: {} };
  for (const column of view.columns) {
    const { id, hidden = false } = column;
    const isDefault = columns.includes(id) !== hidden;
    if (!isDefault || chosen.includes(id)) shown = withShown(shown, column, columns.includes(id));
  }
  const order = columns.filter((id) => view.columns.some((column) => column.id === id));
  return { ...shown, order, pinned, density };
}

/** Columns and filters of a view that the list does not have. */
export function unknownOf(view: Saving, { search }: SavedView): string[] {
  const ids = new Set(view.columns.map(({ id }) => id));
  const { columns = [] } = lookOf(search);
  const parsed = view.schema.parse(search);
  const filters = Object.keys(search).filter(
    (name) => !lookNames.has(name) && !passing.has(name) && parsed[name] === undefined,
  );
  return [...columns.filter((id) => !ids.has(id)), ...filters];
}

/** Whether the list differs from its open view. */
export function isChanged(
  view: Saving,
  saved: SavedView,
  now: { state: AnyListState; layout: ListLayout; own: ListLayout },
): boolean {
  const written = searchToSave(view, stateOfView(view, saved), layoutOfView(view, saved, now.own));
  return JSON.stringify(written) !== JSON.stringify(searchToSave(view, now.state, now.layout));
}

/** Whether the URL has no parameter other than the view. */
export function isPristine({ initial }: Saving, state: AnyListState): boolean {
  return Object.entries(state).every(
    ([name, value]) =>
      name === 'view' || value === undefined || JSON.stringify(value) === JSON.stringify(initial[name]),
  );
}
