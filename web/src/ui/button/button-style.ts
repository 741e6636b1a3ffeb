import { cva, type VariantProps } from 'class-variance-authority';

/** Style of buttons and of links that look like buttons. */
export const buttonStyle = cva(
  [
    'inline-flex shrink-0 items-center justify-center gap-2 rounded border font-medium whitespace-nowrap select-none',
    'transition-colors disabled:cursor-not-allowed aria-disabled:cursor-not-allowed',
  ],
  {
    variants: {
      variant: {
        /** At most one per screen. */
        primary: [
          'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
          'aria-disabled:border-line aria-disabled:bg-hover aria-disabled:text-muted',
        ],
        secondary: [
          'border-line-strong bg-surface text-text hover:bg-hover',
          'aria-disabled:border-line aria-disabled:bg-hover aria-disabled:text-muted',
        ],
        ghost:
          'border-transparent text-muted hover:bg-hover hover:text-text aria-disabled:hover:bg-transparent',
        danger: [
          'border-transparent bg-danger-solid text-on-accent hover:bg-danger-hover',
          'aria-disabled:border-line aria-disabled:bg-hover aria-disabled:text-muted',
        ],
      },
      size: {
        sm: 'h-7 text-sm',
        md: 'h-8 text-base',
        lg: 'h-10 text-base',
      },
      /** For a button with only an icon. */
      square: { true: '', false: '' },
    },
    compoundVariants: [
      { square: false, size: 'sm', class: 'px-2' },
      { square: false, size: 'md', class: 'px-3' },
      { square: false, size: 'lg', class: 'px-4' },
      { square: true, size: 'sm', class: 'w-7' },
      { square: true, size: 'md', class: 'w-8' },
      { square: true, size: 'lg', class: 'w-10' },
    ],
    defaultVariants: { variant: 'secondary', size: 'md', square: false },
  },
);

export type ButtonStyle = VariantProps<typeof buttonStyle>;
