import type { ReactNode } from 'react';

interface TableProps {
  /** Names the table and its scroll region. */
  label: string;
  /** Old rows stand while new ones load. */
  busy?: boolean;
  /** `thead` and `tbody`. */
  children: ReactNode;
}

/** Frame of a table: scrolls in itself, by keyboard too, with its header in place. */
export function Table({ label, busy = false, children }: TableProps) {
  return (
    <section
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll region takes the focus (WCAG 2.1.1)
      tabIndex={0}
      className="overflow-auto -outline-offset-2 md:max-h-[max(288px,calc(100dvh-232px))]"
    >
      <table
        aria-label={label}
        aria-busy={busy}
        className="w-full border-separate border-spacing-0 text-base transition-opacity delay-150 aria-busy:opacity-60"
      >
        {children}
      </table>
    </section>
  );
}
