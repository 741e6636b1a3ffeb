import type { ReactNode } from 'react';

interface CardProps {
  /** Heading of the section and name of the region. */
  title?: ReactNode;
  /** Name of the region when the heading is not plain text. */
  label?: string;
  actions?: ReactNode;
  /** The content may grow to the height of the card: a column of flexible boxes. */
  fill?: boolean;
  children: ReactNode;
}

/** A section of a page with a border. */
export function Card({ title, label, actions, fill = false, children }: CardProps) {
  return (
    <section
      aria-label={label ?? (typeof title === 'string' ? title : undefined)}
      // Not hidden: that would make it the scroller of the sticky headers of its tables.
      className={`min-w-0 overflow-clip rounded border bg-surface ${fill ? 'flex flex-col' : ''}`}
    >
      {title !== undefined && (
        <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-2 border-b px-4 py-2">
          <h2 className="flex flex-wrap items-center gap-2 text-base font-semibold">{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}
