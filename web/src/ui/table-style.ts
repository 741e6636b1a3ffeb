import { cva } from 'class-variance-authority';

/** Screens from which on a cell shows: narrower ones keep the columns that matter most. */
const from = {
  sm: 'hidden sm:table-cell',
  md: 'hidden md:table-cell',
  lg: 'hidden lg:table-cell',
  xl: 'hidden xl:table-cell',
} as const;
const align = { left: 'text-left', right: 'text-right tabular-nums' } as const;

/** Look of a header cell. */
export const headCellStyle = cva(
  'sticky top-0 z-10 h-9 border-b bg-sunken px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4',
  { variants: { from, align, grow: { true: 'w-full' } }, defaultVariants: { align: 'left' } },
);

/** Look of a cell of a row. */
export const cellStyle = cva('h-10 border-b px-3 py-1 align-middle first:pl-4 last:pr-4', {
  variants: { from, align, grow: { true: 'font-normal' } },
  defaultVariants: { align: 'left' },
});
