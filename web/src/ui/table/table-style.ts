import { cva } from 'class-variance-authority';
import type { ColumnMeta } from './list-columns.ts';

/**
 * Minimum width of the table for a cell; narrower tables keep the most important columns. A pane beside the table makes
 * it narrower than the screen, and names need the room first. From `md` on, the table of a screen of 1024 px, all columns
 * are shown, and the first ones stay while the others scroll.
 */
const from = {
  sm: 'hidden @min-[36rem]/table:table-cell print:table-cell',
  md: 'hidden @min-[44rem]/table:table-cell print:table-cell',
} as const;

/** Content of a cell that repeats what the columns of these widths show, for narrower tables. */
export const hiddenFrom = {
  sm: '@min-[36rem]/table:hidden print:hidden',
  md: '@min-[44rem]/table:hidden print:hidden',
} as const;

/** Minimum width of the table in each of these widths: `tableStyle`. */
export const leastWidth =
  'min-w-(--least) @min-[36rem]/table:min-w-(--least-sm) @min-[44rem]/table:min-w-(--least-md)';
const align = { left: 'text-left', right: 'text-right tabular-nums' } as const;

/**
 * Cells that do not scroll sideways: the checkbox of a row, the row header, and the buttons at the end. In narrow tables
 * only the buttons stay, because the others would leave no room. A border shows that other cells scroll below them.
 */
const pinned = {
  box: '@min-[44rem]/table:sticky @min-[44rem]/table:left-0',
  name: '@min-[44rem]/table:sticky @min-[44rem]/table:left-0 @min-[44rem]/table:group-data-scrolled/table:border-r',
  afterBox:
    '@min-[44rem]/table:sticky @min-[44rem]/table:left-11 @min-[44rem]/table:group-data-scrolled/table:border-r',
  last: 'sticky right-0 pl-2 @min-[44rem]/table:group-data-more/table:border-l print:hidden',
} as const;
export type Pinned = keyof typeof pinned;

/** How a column is pinned; undefined when it scrolls. `pinned`: the row header is pinned too. */
export function pinOf(
  { rowHeader = false, last = false }: Partial<ColumnMeta> = {},
  { pinned: isPinned, selectable }: { pinned: boolean; selectable: boolean },
): Pinned | undefined {
  if (last) return 'last';
  if (!isPinned || !rowHeader) return undefined;
  return selectable ? 'afterBox' : 'name';
}

/** Style of a header cell. */
export const headCellStyle = cva(
  'sticky top-14 h-9 border-b group-data-own/table:top-0 group-data-wide/table:top-0 bg-sunken px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4 print:static! print:px-1.5 print:whitespace-normal',
  {
    variants: {
      from,
      align,
      pinned,
    },
    compoundVariants: [
      { pinned: undefined, class: 'z-10' },
      { pinned: ['box', 'name', 'afterBox'], class: 'z-10 @min-[44rem]/table:z-15' },
      { pinned: 'last', class: 'z-15' },
    ],
    defaultVariants: { align: 'left' },
  },
);

/**
 * Style of a row of cells, which sets the colors of `frame`. Pinned cells would cover an outline of the row: it is
 * transparent, and drawn only in forced colors.
 */
export const rowFrameStyle =
  '-outline-offset-2 focus-visible:outline-transparent focus-visible:[--frame:var(--focus)] aria-[current=true]:[--bar:var(--accent)]';

/**
 * Each cell draws its part of the focus frame, and the first one the bar at the start of the row that is open beside the
 * table: the color of that row alone could be that of a selected one.
 */
const frame = [
  '[box-shadow:inset_0_2px_var(--frame,transparent),inset_0_-2px_var(--frame,transparent)]',
  'first:[box-shadow:inset_2px_0_var(--frame,transparent),inset_0_2px_var(--frame,transparent),inset_0_-2px_var(--frame,transparent),inset_3px_0_var(--bar,transparent)]',
  'last:[box-shadow:inset_-2px_0_var(--frame,transparent),inset_0_2px_var(--frame,transparent),inset_0_-2px_var(--frame,transparent)]',
].join(' ');

/** Cells fade out before the buttons while others scroll below them: a number that is cut off is not read as another one. */
const fade =
  'overflow-visible group-data-more/table:before:pointer-events-none group-data-more/table:before:absolute group-data-more/table:before:inset-y-0.5 group-data-more/table:before:right-full group-data-more/table:before:w-4 group-data-more/table:before:bg-inherit group-data-more/table:before:[mask-image:linear-gradient(to_left,black,transparent)] print:before:hidden';

/** Style of a body cell. */
export const cellStyle = cva(
  `truncate border-b px-3 align-middle first:pl-4 last:pr-4 print:static! print:overflow-visible print:px-1.5 print:wrap-break-word print:whitespace-normal ${frame}`,
  {
    variants: {
      from,
      align,
      rowHeader: { true: 'text-left font-normal print:min-w-44' },
      pinned: {
        box: `${pinned.box} z-5 bg-inherit`,
        name: `${pinned.name} z-5 bg-inherit`,
        afterBox: `${pinned.afterBox} z-5 bg-inherit`,
        last: `${pinned.last} ${fade} z-5 bg-inherit text-clip`,
      },
      density: { comfortable: 'h-11 py-1', compact: 'h-8 py-0' },
    },
    defaultVariants: { align: 'left', density: 'comfortable' },
  },
);
