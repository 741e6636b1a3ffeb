import { cva } from 'class-variance-authority';

/**
 * Minimum width of the table for a cell; narrower tables keep the most important columns. A pane beside the table makes
 * it narrower than the screen, and names need the room first.
 */
const from = {
  sm: 'hidden @min-[36rem]/table:table-cell',
  md: 'hidden @min-[50rem]/table:table-cell',
  lg: 'hidden @min-[54rem]/table:table-cell',
  xl: 'hidden @min-[62rem]/table:table-cell',
  xxl: 'hidden @min-[72rem]/table:table-cell',
} as const;

/** Minimum width of the table in each of these widths: `tableStyle`. */
export const leastWidth =
  'min-w-(--least) @min-[36rem]/table:min-w-(--least-sm) @min-[50rem]/table:min-w-(--least-md) @min-[54rem]/table:min-w-(--least-lg) @min-[62rem]/table:min-w-(--least-xl) @min-[72rem]/table:min-w-(--least-xxl)';
const align = { left: 'text-left', right: 'text-right tabular-nums' } as const;

/**
 * Cells that do not scroll sideways: the checkbox of a row, the first column, and the buttons at the end. In narrow tables
 * only the buttons stay, because the others would leave no room. A border shows that other cells scroll below them.
 */
const pinned = {
  box: '@min-[44rem]/table:sticky @min-[44rem]/table:left-0',
  first:
    '@min-[44rem]/table:sticky @min-[44rem]/table:left-0 @min-[44rem]/table:group-data-scrolled/table:border-r',
  afterBox:
    '@min-[44rem]/table:sticky @min-[44rem]/table:left-11 @min-[44rem]/table:group-data-scrolled/table:border-r',
  last: 'sticky right-0 pl-2 @min-[44rem]/table:group-data-more/table:border-l',
} as const;
export type Pinned = keyof typeof pinned;

/** How a column is pinned; undefined when it scrolls. `first`: the first column is pinned too. */
export function pinOf(
  { position, last = false }: { position: number; last?: boolean | undefined },
  { first, selectable }: { first: boolean; selectable: boolean },
): Pinned | undefined {
  if (last) return 'last';
  if (!first || position > 0) return undefined;
  return selectable ? 'afterBox' : 'first';
}

/** Style of a header cell. */
export const headCellStyle = cva(
  'sticky top-14 h-9 border-b group-data-own/table:top-0 group-data-wide/table:top-0 bg-sunken px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4',
  {
    variants: {
      from,
      align,
      pinned,
    },
    compoundVariants: [
      { pinned: undefined, class: 'z-10' },
      { pinned: ['box', 'first', 'afterBox'], class: 'z-10 @min-[44rem]/table:z-15' },
      { pinned: 'last', class: 'z-15' },
    ],
    defaultVariants: { align: 'left' },
  },
);

/** Pinned cells cover the focus outline of the row, so they draw their part of it. */
const focused = 'group-focus-visible/row:[box-shadow:inset_0_2px_var(--focus),inset_0_-2px_var(--focus)]';
const focusedStart =
  'group-focus-visible/row:[box-shadow:inset_0_2px_var(--focus),inset_0_-2px_var(--focus),inset_2px_0_var(--focus)]';
const focusedEnd =
  'group-focus-visible/row:[box-shadow:inset_0_2px_var(--focus),inset_0_-2px_var(--focus),inset_-2px_0_var(--focus)]';

/** A bar at the start of the row that is open beside the table: its color alone could be that of a selected row. */
const open = 'group-aria-[current=true]/row:first:shadow-[inset_3px_0_var(--accent)]';

/** Style of a body cell. */
export const cellStyle = cva(`truncate border-b px-3 align-middle first:pl-4 last:pr-4 ${open}`, {
  variants: {
    from,
    align,
    rowHeader: { true: 'text-left font-normal' },
    pinned: {
      box: `${pinned.box} ${focusedStart} z-5 bg-inherit`,
      first: `${pinned.first} ${focusedStart} z-5 bg-inherit`,
      afterBox: `${pinned.afterBox} ${focused} z-5 bg-inherit`,
      last: `${pinned.last} ${focusedEnd} z-5 bg-inherit text-clip`,
    },
    density: { comfortable: 'h-11 py-0.5', compact: 'h-8 py-0' },
  },
  defaultVariants: { align: 'left', density: 'comfortable' },
});
