import { Link, type LinkProps } from '@tanstack/react-router';
import { Card } from '../card.tsx';
import { ErrorState } from '../error-state.tsx';
import { loneLinkStyle } from '../link-style.ts';

interface RecordFailedProps {
  /** The spec's words (spec 8, Inline messages). */
  title: string;
  /** React Query's result. */
  query: { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown };
  /** Where others are. */
  list: LinkProps['to'];
  children: string;
}

/** Stands in the place of a record that could not be loaded: why, Retry, and the way to the others. */
export function RecordFailed({ title, query, list, children }: RecordFailedProps) {
  return (
    <Card>
      <ErrorState
        title={title}
        error={query.error}
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
      <p className="border-t px-4 py-3 text-center">
        <Link to={list} className={loneLinkStyle}>
          {children}
        </Link>
      </p>
    </Card>
  );
}
