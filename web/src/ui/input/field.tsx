import { Field as Base } from '@base-ui/react/field';
import { cx } from 'class-variance-authority';
import type { ReactNode } from 'react';

export interface FieldProps {
  label: string;
  /** Below the control: what is expected. */
  hint?: ReactNode;
  /** What is wrong; marks the control invalid and is read with it. */
  error?: string | undefined;
  /** At the label's end, such as a link. */
  aside?: ReactNode;
  optional?: boolean;
  /** Marked with a star that is seen, not read: the control says it itself. */
  required?: boolean;
}

/** Label, control, hint and error, wired by id. The control inside must be a Base UI field control. */
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
