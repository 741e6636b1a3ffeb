import { type Job, jobKindLabel } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { duration } from '../../lib/format/duration.ts';
import { formatSize } from '../../lib/format/format.ts';
import { useNow } from '../../lib/hooks/use-now.ts';
import { percentOf, stageOf, subjectOf, unitOf } from '../../lib/jobs/job-labels.ts';
import { outcomeOf } from '../../lib/jobs/job-outcome.ts';
import { isLive } from '../../lib/jobs/job-store.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { Time } from '../../ui/text/time.tsx';
import { JobBadge } from './job-badge.tsx';
import { JobButtons } from './job-buttons.tsx';
import { elapsedOf, useJobRate } from './job-rate.ts';

/** One job of the drawer: its kind, progress, result and buttons. Rendered again only when its own job changes. */
export const JobCard = memo(function JobCard({ job }: { job: Job }) {
  const percent = percentOf(job);
  const live = isLive(job);
  const name = subjectOf(job);
  const took = elapsedOf(job, 0);
  const kind = jobKindLabel(job.kind);
  // A job without a file has its kind as its name.
  const about = [
    ...(name === kind ? [] : [kind]),
    ...(live ? [stageOf(job)] : []),
    ...(job.attempt > 1 ? [`attempt ${job.attempt}`] : []),
  ];
  return (
    <div className="flex flex-col gap-1 px-5 py-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <JobSubject job={job} name={name} />
          <p className="truncate text-xs text-muted">{about.join(' · ')}</p>
        </div>
        {live ? (
          <span className="text-sm font-medium tabular-nums">
            {job.state === 'running' && percent !== null && `${percent}%`}
          </span>
        ) : (
          <JobBadge job={job} />
        )}
        <JobButtons job={job} />
      </div>
      {job.state === 'running' && (
        <>
          <ProgressBar label={`${kind}: ${name}`} value={percent === null ? null : percent / 100} />
          <p className="text-xs text-muted tabular-nums">
            <JobNumbers job={job} />
          </p>
        </>
      )}
      {!live && (
        <>
          <p className={`text-xs tabular-nums ${job.state === 'failed' ? 'text-danger' : ''}`}>
            {outcomeOf(job)}
          </p>
          <p className="text-xs text-muted tabular-nums">
            <Time value={job.finishedAt} />
            {took !== null && ` · took ${duration(took)}`}
          </p>
        </>
      )}
    </div>
  );
});

const subjectStyle = 'block truncate text-sm font-medium hover:text-accent-text hover:underline';

/** The file, the CSV import or the vulnerability that a job works on; a link where it has a page. */
function JobSubject({ job: { fileId, importId, vulnerabilityId }, name }: { job: Job; name: string }) {
  if (fileId !== null)
    return (
      <Link
        to="/dashboard/reports/$fileId"
        params={{ fileId }}
        title={`Import report of ${name}`}
        className={subjectStyle}
      >
        {name}
      </Link>
    );
  if (importId !== undefined)
    return (
      <Link
        to="/dashboard/imports/$importId"
        params={{ importId }}
        title={`CSV import of ${name}`}
        className={subjectStyle}
      >
        {name}
      </Link>
    );
  if (vulnerabilityId !== null)
    return (
      <Link
        to="/dashboard/vulnerabilities/$id"
        params={{ id: vulnerabilityId }}
        title="Open the vulnerability"
        className={subjectStyle}
      >
        {name}
      </Link>
    );
  return <p className="truncate text-sm font-medium">{name}</p>;
}

/** Processed and total units of the phase, rate and elapsed time of a running job. */
export function JobNumbers({ job }: { job: Job }) {
  const now = useNow(1000);
  const rate = useJobRate(job);
  const elapsed = elapsedOf(job, now);
  const { heartbeatAt } = job;
  const { done, total } = job.progress;
  const unit = unitOf(job);
  const amount = (value: number) => (unit === 'bytes' ? formatSize(value) : formatCount(Math.round(value)));
  const parts = [
    total > 0 && `${amount(done)} of ${amount(total)}${unit === 'bytes' ? '' : ` ${unit}`}`,
    total <= 0 && done > 0 && `${amount(done)}${unit === 'bytes' ? '' : ` ${unit}`}`,
    rate !== null && `${amount(rate)}${unit === 'bytes' ? '' : ` ${unit}`}/s`,
    elapsed !== null && duration(elapsed),
    heartbeatAt != null && `last update ${duration(Math.max(0, now - Date.parse(heartbeatAt)))} ago`,
  ];
  return <>{parts.filter((part) => part !== false).join(' · ')}</>;
}
