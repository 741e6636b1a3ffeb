import { plural } from '@riskboard/domain';
import { formatRelative } from '../../lib/format/format.ts';
import { useNow } from '../../lib/hooks/use-now.ts';
import { useLiveState } from '../../lib/live/live-state.ts';
import { quoted } from '../../lib/format/name-text.ts';
import { Button } from '../button/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import type { useOpenView } from './use-open-view.ts';

/** The parts of React Query's result that a list uses. */
export interface ListResult<R> {
  readonly data: R | undefined;
  readonly error: unknown;
  /** The data is that of the previous page or filter. */
  readonly isPlaceholderData: boolean;
  readonly isFetching: boolean;
  /** Loading waits for a connection. */
  readonly isPaused: boolean;
  /** Milliseconds since the epoch; 0 for placeholder data. */
  readonly dataUpdatedAt: number;
  refetch(): unknown;
}

/** Problems of the view in the URL. */
export function ViewNotice({
  open,
  isMissing,
  unknown,
}: Pick<ReturnType<typeof useOpenView>, 'open' | 'isMissing' | 'unknown'>) {
  if (!isMissing && unknown.length === 0) return null;
  return (
    <output className="block border-b px-4 py-2">
      <Notice tone="warning">
        {isMissing
          ? 'This view no longer exists or belongs to another organization.'
          : `${quoted(open?.name ?? '')} contains unknown columns or filters: ${unknown.join(', ')}. They are ignored.`}
      </Notice>
    </output>
  );
}

interface LinkNoticeProps {
  unusable: number;
  /** Not in the card of a table. */
  bare?: boolean;
}

/** Says that the list has left out filters of the link that led to it. */
export function LinkNotice({ unusable, bare = false }: LinkNoticeProps) {
  if (unusable === 0) return null;
  return (
    <output className={bare ? 'block' : 'block border-b px-4 py-2'}>
      <Notice tone="warning">
        {plural(
          unusable,
          'filter of this link is not known and was left out.',
          'filters of this link are not known and were left out.',
        )}
      </Notice>
    </output>
  );
}

/** Milliseconds after which rows without live updates count as old. */
const oldAfter = 60_000;

/**
 * Shows the age of the rows when the live connection is lost or a refresh failed, and says when they are those of the
 * previous page or filter because the new ones cannot be loaded.
 */
export function Freshness<R>({ query, failure }: { query: ListResult<R>; failure: string }) {
  const live = useLiveState();
  const now = useNow();
  const failed = query.error !== null && query.error !== undefined;
  if (query.data === undefined) return null;
  if (query.isPlaceholderData) return query.isPaused ? <PreviousRows /> : null;
  if (!failed && (live === 'live' || now - query.dataUpdatedAt < oldAfter)) return null;
  const when = formatRelative(new Date(query.dataUpdatedAt).toISOString(), now);
  return (
    <div className="flex flex-wrap items-center gap-2 border-t px-4 py-1.5 text-sm text-muted">
      {failed && <output className="text-danger">{failure}</output>}
      {/* Not announced: it changes each minute. */}
      <span>Updated {when}.</span>
      <Button size="sm" variant="ghost" busy={query.isFetching} onClick={() => void query.refetch()}>
        {failed ? 'Retry' : 'Refresh'}
      </Button>
    </div>
  );
}

const PreviousRows = () => (
  <output className="block border-t px-4 py-2 text-sm text-warning">
    The list still shows the previous page or filter. The new rows load when the connection is back.
  </output>
);

/** Says that edited rows are not where the list now has them, and updates the list on request. */
export function HeldNotice({ onUpdate }: { onUpdate: () => void }) {
  return (
    <output className="flex flex-wrap items-center gap-2 border-t px-4 py-1.5 text-sm text-muted">
      <span>Edited rows keep their position until the list is updated.</span>
      <Button size="sm" variant="ghost" onClick={onUpdate}>
        Update list
      </Button>
    </output>
  );
}
