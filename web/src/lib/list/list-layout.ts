import { oneOf } from './search-schema.ts';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** Layout of a table: stored in this browser per user and list, and in saved views. */
export interface ListLayout {
  /** Ids of all columns in order, including hidden ones. */
  order: string[];
  /** Columns that the user has shown or hidden; the others have their default. */
  shown: Record<string, boolean>;
  /** The row header does not scroll sideways. */
  pinned: boolean;
  density: Density;
}

export const standardLayout: ListLayout = { order: [], shown: {}, pinned: true, density: 'comfortable' };

/** Reads a stored layout; invalid parts get their default. */
export function layoutOf(raw: unknown): ListLayout {
  const kept = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  const shown = typeof kept['shown'] === 'object' ? Object.entries(kept['shown'] ?? {}) : [];
  return {
    order: stringsOf(kept['order'])?.slice(0, 60) ?? [],
    shown: Object.fromEntries(
      shown.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
    ),
    pinned: kept['pinned'] !== false,
    density: densityOf(kept['density']) ?? standardLayout.density,
  };
}

/** An array of strings; undefined when the value is anything else. */
export const stringsOf = (raw: unknown): string[] | undefined =>
  Array.isArray(raw) && raw.every((one) => typeof one === 'string') ? raw : undefined;

export const densityOf = oneOf(densities);

/** The parts of a column that the layout needs. */
export interface ArrangedColumn {
  readonly id: string;
  /** Hidden by default. */
  readonly hidden?: boolean | undefined;
  /** Always shown, and always first or last. */
  readonly fixed?: 'first' | 'last' | undefined;
  /** Always shown because it is the row header. */
  readonly required?: boolean | undefined;
}

/** All columns in the chosen order; new columns follow their declared left neighbor. */
export function ordered<C extends ArrangedColumn>(columns: readonly C[], layout: ListLayout): C[] {
  const known = layout.order.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  const result = known.length === 0 ? [...columns] : [...known];
  if (known.length > 0) {
    for (const [index, column] of columns.entries()) {
      if (result.includes(column)) continue;
      const left = columns[index - 1];
      result.splice(left === undefined ? 0 : result.indexOf(left) + 1, 0, column);
    }
  }
  const rank = { first: 0, last: 2 } as const;
  return result.toSorted(
    (a, b) => (a.fixed === undefined ? 1 : rank[a.fixed]) - (b.fixed === undefined ? 1 : rank[b.fixed]),
  );
}

export const isShown = (column: ArrangedColumn, { shown }: ListLayout): boolean =>
  column.fixed !== undefined || column.required === true || (shown[column.id] ?? column.hidden !== true);

/** Whether the user has chosen to show a column, which a table of any width then shows. */
export const isChosen = ({ id }: ArrangedColumn, { shown }: ListLayout): boolean => shown[id] === true;

/** The layout with a column shown or hidden by the user, which is stored although it may be the default. */
export const withShown = (layout: ListLayout, { id }: ArrangedColumn, show: boolean): ListLayout => ({
  ...layout,
  shown: { ...layout.shown, [id]: show },
});

/** The layout with a column moved to a position. */
export function withMoved(
  columns: readonly ArrangedColumn[],
  layout: ListLayout,
  { id, to }: { id: string; to: number },
): ListLayout {
  const ids = ordered(columns, layout).map((column) => column.id);
  const from = ids.indexOf(id);
  if (from === -1) return layout;
  ids.splice(from, 1);
  ids.splice(Math.max(0, Math.min(to, ids.length)), 0, id);
  return { ...layout, order: ids };
}
