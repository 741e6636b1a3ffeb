import { type Job, jobKindLabel } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { isLive, useNewestJobs } from '../../../lib/jobs/job-store.ts';
import { outcomeOf } from '../../../lib/jobs/job-outcome.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { StateBadge } from '../../../ui/badge/badge.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { fileJobsQuery } from '../file-queries.ts';
import { JobLine } from '../file-state.tsx';

const noJobs: readonly Job[] = [];

/** The jobs of a file with their outcomes. */
export function FileHistory({ fileId }: { fileId: string }) {
  const { data, error, refetch } = useQuery(fileJobsQuery(fileId));
  const jobs = useNewestJobs(data?.jobs ?? noJobs);
  return (
    <Card title="History">
      {error !== null && data === undefined && (
        <ErrorState title="Failed to load jobs." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && (
        <div className="p-4">
          <Skeleton />
        </div>
      )}
      <ul className="divide-y">
        {jobs.map((job) => (
          <HistoryLine key={job._id} job={job} />
        ))}
      </ul>
      {data?.jobs.length === 0 && <p className="p-4 text-sm text-muted">No jobs yet.</p>}
    </Card>
  );
}

function HistoryLine({ job }: { job: Job }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
      <span className="w-26 shrink-0 font-medium">{jobKindLabel(job.kind)}</span>
      {isLive(job) ? (
        <JobLine job={job} />
      ) : (
        <>
          <StateBadge state={job.state} />
          {job.state !== 'cancelled' && (
            <span className={`min-w-0 tabular-nums ${job.state === 'failed' ? 'text-danger' : ''}`}>
              {outcomeOf(job)}
            </span>
          )}
        </>
      )}
      <span className="ml-auto text-muted">
        <Time value={job.finishedAt ?? job.createdAt} />
      </span>
    </li>
  );
}
