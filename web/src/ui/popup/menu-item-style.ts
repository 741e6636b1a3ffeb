import { cva } from 'class-variance-authority';

/** Look of one line of a menu. */
export const menuItemStyle = cva(
  'flex min-h-8 w-full items-center gap-2 rounded px-2 text-sm outline-none select-none data-disabled:cursor-not-allowed data-disabled:text-muted',
  {
    variants: {
      danger: {
        true: 'text-danger data-highlighted:bg-danger-soft',
        false: 'text-text data-highlighted:bg-hover',
      },
    },
    defaultVariants: { danger: false },
  },
);
