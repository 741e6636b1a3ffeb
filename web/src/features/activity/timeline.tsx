import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { loneLinkStyle } from '../../ui/button/link-style.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Time } from '../../ui/text/time.tsx';
import { Avatar, actorOf } from './person.tsx';
import { ActionText } from './entry-text.tsx';
import { activityQuery } from './queries.ts';

export interface TimelineProps {
  /** The object whose activity is listed, or the project with its assets. */
  of: { readonly nounId: string } | { readonly projectId: string };
  title?: string;
  /** Number of entries shown; the activity page has the rest. */
  length?: number;
}

/** Activity of one object, newest first. */
export function Timeline({ of, title = 'Activity', length = 10 }: TimelineProps) {
  const filter = 'nounId' in of ? { nounId: [of.nounId] } : of;
  const { data, error, refetch } = useQuery(activityQuery({ ...filter, pageSize: length }));
  const link = (
    <Link to="/dashboard/activity" search={filter} className={loneLinkStyle}>
      All activity
    </Link>
  );
  return (
    <Card title={title} actions={data !== undefined && data.total > length ? link : undefined}>
      {data === undefined && error !== null && (
        <ErrorState title="Failed to load activity." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && (
        <div className="p-4">
          <Skeleton />
        </div>
      )}
      {data?.activity.length === 0 && <p className="p-4 text-sm text-muted">No activity yet.</p>}
      <ol className="divide-y">
        {data?.activity.map((entry) => (
          <li key={entry._id} className="flex gap-2 px-4 py-2 text-sm">
            <Avatar entry={entry} />
            <div className="min-w-0 flex-1 pt-0.5">
              <span className="font-medium">{actorOf(entry).name}</span> <ActionText entry={entry} />
            </div>
            <span className="pt-0.5 text-muted">
              <Time value={entry.at} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
