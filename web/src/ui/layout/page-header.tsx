import type { ReactNode } from 'react';

export interface PageHeaderProps {
  title: ReactNode;
  /** One line of text below the title. */
  description?: ReactNode;
  /** Buttons, the primary one last. */
  actions?: ReactNode;
}

/** Header of a page: its only `h1` and its actions. Names and identifiers without blanks are wrapped. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 wrap-anywhere">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {description !== undefined && <p className="text-base text-muted">{description}</p>}
      </div>
      {actions !== undefined && (
        <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>
      )}
    </header>
  );
}
