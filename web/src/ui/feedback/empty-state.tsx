import type { ReactNode } from 'react';

export interface EmptyStateProps {
  icon?: ReactNode;
  /** Title in the wording of the spec, such as 'No files found.' */
  title: string;
  /** Next step. */
  description?: ReactNode;
  /** A button or a link. */
  action?: ReactNode;
}

/** Empty state with an optional next action. */
export function EmptyState({ icon, title, description, action }: EmptyStateProps) {
  return (
    // Takes the focus after the last row was deleted, when it has no action.
    <div
      data-empty
      tabIndex={-1}
      className="flex flex-col items-center gap-1 px-6 py-12 text-center outline-none"
    >
      {icon !== undefined && (
        <div className="mb-3 flex size-10 items-center justify-center rounded-full bg-hover text-muted">
          {icon}
        </div>
      )}
      <p className="text-base font-medium">{title}</p>
      {description !== undefined && <p className="max-w-110 text-sm text-muted">{description}</p>}
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  );
}
