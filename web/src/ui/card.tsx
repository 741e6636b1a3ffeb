import type { ReactNode } from 'react';

interface CardProps {
  /** Heading of the section; it names the region. */
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of a page on its own ground, with a hairline around it. */
export function Card({ title, actions, children }: CardProps) {
  return (
    <section aria-label={title} className="min-w-0 overflow-hidden rounded border bg-surface">
      {title !== undefined && (
        <header className="flex min-h-11 items-center justify-between gap-3 border-b px-4 py-2">
          <h2 className="text-base font-semibold">{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}
