import { Field as Base } from '@base-ui/react/field';
import { cx } from 'class-variance-authority';
import type { ReactNode } from 'react';

export interface FieldProps {
  label: string;
  /** Hint below the control. */
  hint?: ReactNode;
  /** Error message; marks the control invalid and describes it. */
  error?: string | undefined;
  /** Content at the end of the label, such as a link. */
  aside?: ReactNode;
  optional?: boolean;
  /** Shows a star, hidden from screen readers because the control itself is marked required. */
  required?: boolean;
}

/** Label, control, hint and error, connected by id. The control must be a Base UI field control. */
export function Field({
  label,
  hint,
  error,
  aside,
  optional = false,
  required = false,
  children,
}: FieldProps & { children: ReactNode }) {
  return (
    <Base.Root invalid={error !== undefined} className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between gap-2">
        <Base.Label
          className={cx('text-sm font-medium', required && "after:text-danger after:content-['_*'/'']")}
        >
          {label}
          {optional && <span className="font-normal text-muted"> (optional)</span>}
        </Base.Label>
        {aside}
      </div>
      {children}
      {hint !== undefined && (
        <Base.Description render={<div />} className="text-sm text-muted">
          {hint}
        </Base.Description>
      )}
      {error !== undefined && (
        <Base.Error match className="text-sm text-danger">
          {error}
        </Base.Error>
      )}
    </Base.Root>
  );
}
