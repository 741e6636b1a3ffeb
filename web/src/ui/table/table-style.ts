import { cva } from 'class-variance-authority';

/**
 * Minimum width of the list that shows a cell, so that a list beside a panel keeps the most important columns. The
 * lists of screens of 640, 768, 1024 and 1280 pixels are a little wider.
 */
const from = {
  sm: 'hidden @min-[540px]/list:table-cell',
  md: 'hidden @min-[660px]/list:table-cell',
  lg: 'hidden @min-[720px]/list:table-cell',
  xl: 'hidden @min-[960px]/list:table-cell',
} as const;

/** Minimum width of the table in each of these widths: `tableStyle`. */
export const leastWidth =
  'min-w-(--least) @min-[540px]/list:min-w-(--least-sm) @min-[660px]/list:min-w-(--least-md) @min-[720px]/list:min-w-(--least-lg) @min-[960px]/list:min-w-(--least-xl)';
const align = { left: 'text-left', right: 'text-right tabular-nums' } as const;

/**
 * Cells that do not scroll sideways: the checkbox of a row, the first column, and the buttons at the end. On narrow
 * screens they would leave no room for the rest. A border shows that other cells scroll below them.
 */
const pinned = {
  box: 'md:sticky md:left-0',
  first: 'md:sticky md:left-0 md:group-data-scrolled/table:border-r',
  afterBox: 'md:sticky md:left-11 md:group-data-scrolled/table:border-r',
  last: 'pl-2 md:sticky md:right-0 md:group-data-more/table:border-l',
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
  'sticky top-0 h-9 border-b bg-sunken px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4',
  {
    variants: {
      from,
      align,
      pinned,
    },
    compoundVariants: [
      { pinned: undefined, class: 'z-10' },
      { pinned: ['box', 'first', 'afterBox', 'last'], class: 'z-10 md:z-15' },
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

/** Style of a body cell. */
export const cellStyle = cva('truncate border-b px-3 align-middle first:pl-4 last:pr-4', {
  variants: {
    from,
    align,
    rowHeader: { true: 'text-left font-normal' },
    pinned: {
      box: `${pinned.box} ${focusedStart} z-5 bg-inherit`,
      first: `${pinned.first} ${focusedStart} z-5 bg-inherit`,
      afterBox: `${pinned.afterBox} ${focused} z-5 bg-inherit`,
      last: `${pinned.last} ${focusedEnd} z-5 bg-inherit`,
    },
    density: { comfortable: 'h-11 py-0.5', compact: 'h-8 py-0' },
  },
  defaultVariants: { align: 'left', density: 'comfortable' },
});
