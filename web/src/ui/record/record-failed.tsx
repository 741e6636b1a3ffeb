import { Link, type LinkProps } from '@tanstack/react-router';
import { ApiError } from '../../lib/api/errors.ts';
import { Card } from '../layout/card.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { loneLinkStyle } from '../button/link-style.ts';
import { PageHeader } from '../layout/page-header.tsx';

interface RecordFailedProps {
  /** What was to be shown, such as 'Threat'. */
  noun: string;
  /** The spec's words (spec 8, Inline messages). */
  title: string;
  /** React Query's result. */
  query: { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown };
  /** Where others are. */
  list: LinkProps['to'];
  children: string;
}

/** What is not there does not come by asking again. */
const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Stands in the place of a record that could not be loaded: why, Retry where that can help, and the way to the others. */
export function RecordFailed({ noun, title, query, list, children }: RecordFailedProps) {
  return (
    <>
      <PageHeader title={noun} />
      <Card>
        <ErrorState
          title={title}
          error={query.error}
          busy={query.isFetching}
          {...(!isGone(query.error) && { onRetry: () => void query.refetch() })}
        />
        <p className="border-t px-4 py-3 text-center">
          <Link to={list} className={loneLinkStyle}>
            {children}
          </Link>
        </p>
      </Card>
    </>
  );
}
