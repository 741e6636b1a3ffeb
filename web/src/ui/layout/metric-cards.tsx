import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';

interface MetricCardsProps {
  label: string;
  /** React Query's result. */
  query: {
    readonly data: unknown;
    readonly error: unknown;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  /** `StatCard`s, usually four. */
  children: ReactNode;
}

/** A row of numbers above a list. When they cannot be loaded, the list below stands all the same. */
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
    <section aria-label={label} className="mb-4 grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      {children}
    </section>
  );
}
