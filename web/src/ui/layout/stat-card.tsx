import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { formatCount } from '../../lib/format/format.ts';
import { Skeleton } from '../feedback/skeleton.tsx';

interface StatCardProps extends Omit<ComponentProps<'a'>, 'children' | 'className'> {
  label: string;
  /** Undefined while it loads. */
  value: number | undefined;
  /** Below the number: what it is made of. */
  detail?: ReactNode;
  icon?: ReactNode;
}

function PlainStatCard({ label, value, detail, icon, ...link }: StatCardProps) {
  return (
    <a
      {...link}
      className="flex flex-col gap-1 rounded border bg-surface px-4 py-3 transition-colors hover:border-line-strong"
    >
      <span className="flex items-center justify-between gap-2 text-sm text-muted">
        {label}
        {icon}
      </span>
      <span className="text-2xl font-semibold tracking-tight tabular-nums">
        {value === undefined ? <Skeleton width="72px" /> : formatCount(value)}
      </span>
      <span className="min-h-5 text-sm text-muted">{value !== undefined && detail}</span>
    </a>
  );
}

/** One number, large, with its name, small; the card leads to what it counts. */
export const StatCard = createLink(PlainStatCard);
