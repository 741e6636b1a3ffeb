import type { Job } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { outcomeOf } from '../../lib/job-outcome.ts';
import { kindWords, percentOf, stageOf } from '../../lib/job-words.ts';
import { listColumns } from '../../ui/list-columns.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { JobButtons } from './job-buttons.tsx';
import { JobNumbers } from './job-numbers.tsx';
import { duration, elapsedOf } from './job-rate.ts';

const column = listColumns<Job>();

function Progress({ job }: { job: Job }) {
  if (job.state !== 'running') {
    const failed = job.state === 'failed';
    const words = job.state === 'queued' ? stageOf(job) : outcomeOf(job);
    return (
      <span className={`line-clamp-2 min-w-70 text-sm tabular-nums ${failed ? 'text-danger' : 'text-muted'}`}>
        {words}
      </span>
    );
  }
  const percent = percentOf(job);
  return (
    <div className="flex max-w-90 min-w-70 flex-col gap-1 text-xs text-muted tabular-nums">
      <span className="flex justify-between gap-3">
        <span className="truncate">{stageOf(job)}</span>
        {percent !== null && <span>{percent}%</span>}
      </span>
      <ProgressBar
        label={`${stageOf(job)}: ${job.fileName ?? 'job'}`}
        value={percent === null ? null : percent / 100}
      />
      <JobNumbers job={job} />
    </div>
  );
}

/** Columns of the job page; those that sort bear the contract's names. */
export const jobsColumns = [
  column.display({
    id: 'file',
    meta: { label: 'File', rowHeader: true },
    cell: ({ row: { original: job } }) =>
      job.fileId === null ? (
        <span className="text-muted">{job.fileName ?? 'Deleted file'}</span>
      ) : (
        <Link
          to="/dashboard/reports/$fileId"
          params={{ fileId: job.fileId }}
          className="line-clamp-2 min-w-32 font-medium break-all hover:text-accent-text hover:underline"
        >
          {job.fileName}
        </Link>
      ),
  }),
  column.display({
    id: 'kind',
    meta: { label: 'Job', sortable: true, from: 'sm' },
    cell: ({ row: { original: job } }) => <span className="whitespace-nowrap">{kindWords[job.kind]}</span>,
  }),
  column.display({
    id: 'state',
    meta: { label: 'State', sortable: true },
    cell: ({ row: { original: job } }) => <StateBadge state={job.state} />,
  }),
  column.display({
    id: 'progress',
    meta: { label: 'Progress and result', from: 'md' },
    cell: ({ row: { original: job } }) => <Progress job={job} />,
  }),
  column.display({
    id: 'took',
    meta: { label: 'Took', align: 'right', from: 'lg' },
    cell: ({ row: { original: job } }) => {
      const took = job.finishedAt === null ? null : elapsedOf(job, 0);
      return <span className="whitespace-nowrap">{took === null ? '–' : duration(took)}</span>;
    },
  }),
  column.display({
    id: 'createdAt',
    meta: { label: 'Asked for', sortable: true, from: 'lg' },
    cell: ({ row: { original: job } }) => <Time value={job.createdAt} />,
  }),
  column.display({
    id: 'actions',
    meta: { label: 'Actions', hideLabel: true, align: 'right' },
    cell: ({ row: { original: job } }) => <JobButtons job={job} />,
  }),
];
