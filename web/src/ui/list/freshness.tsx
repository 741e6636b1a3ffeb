import { formatRelative } from '../../lib/format/format.ts';
import { useLiveState } from '../../lib/live/live-state.ts';
import { Button } from '../button/button.tsx';
import { useNow } from '../../lib/hooks/use-now.ts';
import type { ListResult } from './list-page.tsx';

/** Milliseconds after which rows that nothing keeps up to date are called old. */
const oldAfter = 60_000;

/** How old the rows are, where they are no longer kept up to date: the server is not heard, or did not answer. */
export function Freshness<R>({ query, failure }: { query: ListResult<R>; failure: string }) {
  const live = useLiveState();
  const now = useNow();
  const failed = query.error !== null && query.error !== undefined;
  if (query.data === undefined) return null;
  if (!failed && (live === 'live' || now - query.dataUpdatedAt < oldAfter)) return null;
  const when = formatRelative(new Date(query.dataUpdatedAt).toISOString(), now);
  return (
    <output className="flex flex-wrap items-center gap-2 border-t px-4 py-1.5 text-sm text-muted">
      {failed && <span className="text-danger">{failure}</span>}
      <span>Updated {when}.</span>
      <Button size="sm" variant="ghost" busy={query.isFetching} onClick={() => void query.refetch()}>
        {failed ? 'Retry' : 'Refresh'}
      </Button>
    </output>
  );
}
