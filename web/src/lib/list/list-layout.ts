import { oneOf } from './search-schema.ts';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** How a person likes a table: kept in this browser, by user and list, and with a saved view. */
export interface ListLayout {
  /** Columns in their order, those that are not shown among them. */
  order: string[];
  /** Columns shown or hidden against their standard. */
  shown: Record<string, boolean>;
  /** The first column stays in place while the others scroll. */
  pinned: boolean;
  density: Density;
}

export const standardLayout: ListLayout = { order: [], shown: {}, pinned: true, density: 'comfortable' };

/** The layout that was written down; what is not valid in it is the standard. */
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

/** A list of texts; undefined: it is something else. */
export const stringsOf = (raw: unknown): string[] | undefined =>
  Array.isArray(raw) && raw.every((one) => typeof one === 'string') ? raw : undefined;

export const densityOf = oneOf(densities);

/** What arranging needs to know of a column. */
export interface ArrangedColumn {
  readonly id: string;
  /** Not shown unless a person wants it. */
  readonly hidden?: boolean | undefined;
  /** Stays in its place, first or last, and is always shown. */
  readonly fixed?: 'first' | 'last' | undefined;
  /** Always shown, wherever it stands: it names its row. */
  readonly required?: boolean | undefined;
}

/** All columns in the person's order; new ones stand where the list declares them, after their left neighbour. */
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

/** The layout with a column shown or hidden; what equals the standard is not written down. */
export function withShown(layout: ListLayout, column: ArrangedColumn, show: boolean): ListLayout {
  const { [column.id]: _, ...shown } = layout.shown;
  const standard = column.hidden !== true;
  return { ...layout, shown: show === standard ? shown : { ...shown, [column.id]: show } };
}

/** The layout with a column moved to stand before another one's place. */
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
