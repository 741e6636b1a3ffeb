import { formatCount } from '@riskboard/domain';
import { createLink, type LinkComponent } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { wholeList } from '../../lib/list/list-state.ts';
import { Button } from '../button/button.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';

interface StatCardProps extends Omit<ComponentProps<'a'>, 'children' | 'className'> {
  label: string;
  /** Undefined while it loads. */
  value: number | undefined;
  /** Details below the number. */
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

const LinkedStatCard = createLink(PlainStatCard);
const activeOptions = { exact: true } as const;

/** The whole list in its present form, in which its URL may have `wholeList`. */
const withoutFilters = ({ view }: { view?: unknown }) => (view === wholeList ? { view } : {});

/**
 * A large number with its name; links to the counted records, by default to all of the present list, and is current
 * while exactly these are shown.
 */
export const StatCard: LinkComponent<typeof PlainStatCard> = (props) => (
  <LinkedStatCard activeOptions={activeOptions} search={withoutFilters as never} {...props} />
);

interface MetricCardsProps {
  label: string;
  /** React Query's result. */
  query: {
    readonly data: unknown;
    readonly error: unknown;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  /** `StatCard`s: two in a row, and all in one on wide screens. */
  children: ReactNode;
}

/** A row of numbers above a list. The list is shown even when they fail to load. */
export function MetricCards({ label, query, children }: MetricCardsProps) {
  if (query.data === undefined && query.error !== null) {
    return (
      <div
        role="alert"
        className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded border bg-surface px-4 py-3 text-sm text-danger"
      >
        Failed to load metrics
        <Button
          size="sm"
          icon={<RotateCw aria-hidden size={14} />}
          busy={query.isFetching}
          onClick={() => void query.refetch()}
        >
          Retry
        </Button>
      </div>
    );
  }
  return (
    <section
      aria-label={label}
      className="mb-4 grid grid-cols-2 gap-3 sm:gap-4 max-xl:[&>:last-child:nth-child(odd)]:col-span-2 xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none"
    >
      {children}
    </section>
  );
}
