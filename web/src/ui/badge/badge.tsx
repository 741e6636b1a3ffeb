import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';

const badge = cva(
  'inline-flex h-5 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap tabular-nums',
  {
    variants: {
      tone: {
        neutral: 'bg-hover text-muted',
        info: 'bg-info-soft text-info',
        success: 'bg-success-soft text-success',
        warning: 'bg-warning-soft text-warning',
        danger: 'bg-danger-soft text-danger',
        critical: 'bg-critical-soft text-critical',
        high: 'bg-high-soft text-high',
        medium: 'bg-medium-soft text-medium',
        low: 'bg-low-soft text-low',
      },
    },
  },
);

export type BadgeTone =
  | 'neutral'
  | 'info'
  | 'success'
  | 'warning'
  | 'danger'
  | 'critical'
  | 'high'
  | 'medium'
  | 'low';

interface BadgeProps {
  tone?: BadgeTone;
  icon?: ReactNode;
  /** A word: colour is never alone. */
  children: ReactNode;
}

/** A short word that stands out. */
export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span className={badge({ tone })}>
      {icon}
      {children}
    </span>
  );
}
