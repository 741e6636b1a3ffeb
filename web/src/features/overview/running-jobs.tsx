import { type Job, jobKindLabel } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { isLive, useJobs } from '../../lib/jobs/job-store.ts';
import { percentOf, stageOf } from '../../lib/jobs/job-labels.ts';
import { Card } from '../../ui/layout/card.tsx';
import { loneLinkStyle } from '../../ui/button/link-style.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { StateBadge } from '../../ui/badge/badge.tsx';

/** Number of jobs shown; the others are a count with a link. */
const mostShown = 3;

/** The active jobs, live. */
export function RunningJobs({ failed }: { failed: number }) {
  const jobs = [...useJobs().values()]
    .filter(isLive)
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  const hidden = jobs.length - mostShown;
  return (
    <Card
      title="Background jobs"
      actions={
        <span className="flex items-center gap-4">
          {failed > 0 && (
            <Link to="/dashboard/jobs" search={{ state: ['failed'] }} className={loneLinkStyle}>
              {formatCount(failed)} failed
            </Link>
          )}
          <Link to="/dashboard/jobs" className={loneLinkStyle}>
            {hidden > 0 ? `${formatCount(hidden)} more` : 'All jobs'}
          </Link>
        </span>
      }
    >
      {jobs.length === 0 ? (
        <p className="flex min-h-14 items-center gap-2 px-4 text-sm text-muted">
          <CircleCheck aria-hidden size={16} />
          No active jobs. Uploads and extractions appear here while they are active.
        </p>
      ) : (
        <ul className="divide-y">
          {jobs.slice(0, mostShown).map((job) => (
            <RunningJob key={job._id} job={job} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function RunningJob({ job }: { job: Job }) {
  const percent = percentOf(job);
  const subject = job.fileName ?? jobKindLabel(job.kind);
  return (
    <li className="flex min-h-14 flex-col justify-center gap-2 px-4 py-2.5">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="truncate font-medium">{subject}</p>
          <p className="truncate text-sm text-muted">{stageOf(job)}</p>
        </div>
        <span className="flex shrink-0 items-center gap-2 text-sm tabular-nums">
          {job.state === 'running' && percent !== null && `${percent}%`}
          <StateBadge state={job.state} />
        </span>
      </div>
      {job.state === 'running' && (
        <ProgressBar
          label={`${jobKindLabel(job.kind)}: ${subject}`}
          value={percent === null ? null : percent / 100}
        />
      )}
    </li>
  );
}
