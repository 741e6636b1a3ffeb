import { isMissing } from '../../lib/api/errors.ts';
import { loneLinkStyle } from '../button/link-style.ts';
import { PathLink } from '../button/path-link.tsx';
import { Card } from '../layout/card.tsx';
import { PageHeader } from '../layout/page-header.tsx';
import { ErrorState } from './error-state.tsx';

interface LoadFailedProps {
  /** Heading of the page, such as 'Vulnerability'. */
  heading: string;
  title: string;
  /** Reason for an address without a record; absent: the server's message. */
  missing?: string;
  /** Text of the spec below the title, when the record may exist. */
  text?: string | undefined;
  /** The query that failed. */
  query: { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown };
  /** The page that lists all records. */
  list: { readonly to: string; readonly label: string };
}

/** Instead of a page whose record could not be loaded: the reason, Retry where that can help, and a link to the list. */
export function LoadFailed({ heading, title, missing, text, query, list }: LoadFailedProps) {
  const noRecord = isMissing(query.error);
  return (
    <>
      <PageHeader title={heading} />
      <Card>
        <ErrorState
          title={title}
          text={noRecord ? undefined : text}
          error={noRecord && missing !== undefined ? new Error(missing) : query.error}
          busy={query.isFetching}
          {...(!noRecord && { onRetry: () => void query.refetch() })}
        />
        <p className="border-t px-4 py-3 text-center">
          <PathLink path={list.to} className={loneLinkStyle}>
            {list.label}
          </PathLink>
        </p>
      </Card>
    </>
  );
}
