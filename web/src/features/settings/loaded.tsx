import type { ReactNode } from 'react';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { useDelayed } from '../../lib/hooks/use-delayed.ts';

interface LoadedProps<Data> {
  /** React Query's result. */
  query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  /** Title of the error state. */
  failure: string;
  /** Rows of the skeleton. */
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** Renders the data of a query, a skeleton while it loads, or the error. */
export function Loaded<Data>({ query, failure, rows = 2, children }: LoadedProps<Data>) {
  const { data, error } = query;
  const waiting = useDelayed(data === undefined && error === null);
  if (data !== undefined) return children(data);
  if (error !== null) {
    return (
      <ErrorState
        title={failure}
        error={error}
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <output aria-label="Loading" className="block divide-y">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className="flex min-h-14 flex-col justify-center gap-2 px-4">
          {waiting && (
            <>
              <Skeleton width="30%" />
              <Skeleton width="50%" />
            </>
          )}
        </span>
      ))}
    </output>
  );
}
