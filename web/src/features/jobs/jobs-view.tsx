import { isJobKind, type Job, jobKindLabel } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { percentOf, stageOf, stateLabels, subjectOf } from '../../lib/jobs/job-labels.ts';
import { outcomeOf } from '../../lib/jobs/job-outcome.ts';
import { duration } from '../../lib/format/duration.ts';
import { Empty } from '../../ui/text/empty.tsx';
import { FileNameText } from '../../ui/text/file.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { defineListView } from '../../ui/list/define-list-view.ts';
import { Time } from '../../ui/text/time.tsx';
import { hiddenFrom } from '../../ui/table/table-style.ts';
import { JobBadge } from './job-badge.tsx';
import { JobButtons } from './job-buttons.tsx';
import { JobNumbers } from './job-card.tsx';
import { elapsedOf } from './job-rate.ts';
import { jobsSource } from './jobs-source.ts';

function Progress({ job }: { job: Job }) {
  if (job.state !== 'running') {
    const failed = job.state === 'failed';
    const result = job.state === 'queued' ? stageOf(job) : outcomeOf(job);
    return (
      <span
        title={result ?? undefined}
        className={`line-clamp-2 text-sm whitespace-normal tabular-nums ${failed ? 'text-danger' : 'text-muted'}`}
      >
        {result}
      </span>
    );
  }
  const percent = percentOf(job);
  return (
    <div className="flex flex-col gap-1 text-xs text-muted tabular-nums">
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

const subjectStyle = 'line-clamp-2 font-medium wrap-anywhere hover:text-accent-text hover:underline';

function SubjectLink({ job }: { job: Job }) {
  const { fileId, fileName, importId, vulnerabilityId } = job;
  if (fileId !== null)
    return (
      <Link to="/dashboard/reports/$fileId" params={{ fileId }} className={subjectStyle}>
        <FileNameText name={fileName ?? ''} />
      </Link>
    );
  if (importId !== undefined)
    return (
      <Link to="/dashboard/imports/$importId" params={{ importId }} className={subjectStyle}>
        <FileNameText name={fileName ?? ''} />
      </Link>
    );
  if (vulnerabilityId !== null)
    return (
      <Link to="/dashboard/vulnerabilities/$id" params={{ id: vulnerabilityId }} className={subjectStyle}>
        {subjectOf(job)}
      </Link>
    );
  if (subjectOf(job) !== jobKindLabel(job.kind)) return <span className="text-muted">{subjectOf(job)}</span>;
  return (
    <span className="text-muted">
      <span className="sm:hidden">{subjectOf(job)}</span>
      <span className="hidden sm:inline">
        <Empty />
      </span>
    </span>
  );
}

/** The file, or what the job works on; in narrow tables, which have no columns for them, with the kind and the result. */
function Subject({ job }: { job: Job }) {
  const kind = jobKindLabel(job.kind);
  return (
    <div className="flex flex-col whitespace-normal">
      <SubjectLink job={job} />
      {subjectOf(job) !== kind && <span className={`text-xs text-muted ${hiddenFrom.sm}`}>{kind}</span>}
      <span className={hiddenFrom.md}>
        <Progress job={job} />
      </span>
    </div>
  );
}

function Duration({ job }: { job: Job }) {
  const took = job.finishedAt === null ? null : elapsedOf(job, 0);
  return <span className="whitespace-nowrap">{took === null ? '–' : duration(took)}</span>;
}

const isState = (value: string): value is Job['state'] => Object.hasOwn(stateLabels, value);

/** Columns and filters of the list of background jobs. */
export const jobsView = defineListView(jobsSource, {
  label: 'Jobs',
  nouns: { one: 'job', many: 'jobs' },
  row: { id: (job) => job._id, name: (job) => `${jobKindLabel(job.kind)} ${job.fileName ?? ''}` },
  columns: [
    { field: 'fileName', rowHeader: true, cell: (job) => <Subject job={job} /> },
    {
      field: 'kind',
      from: 'sm',
      width: 192,
      cell: (job) => <span className="whitespace-nowrap">{jobKindLabel(job.kind)}</span>,
    },
    { field: 'state', width: 132, cell: (job) => <JobBadge job={job} /> },
    {
      id: 'progress',
      label: 'Progress and result',
      grow: true,
      alsoShows: ['result', 'error'],
      from: 'md',
      cell: (job) => <Progress job={job} />,
    },
    { field: 'took', label: 'Duration', from: 'md', cell: (job) => <Duration job={job} /> },
    { field: 'createdAt', from: 'md', cell: (job) => <Time value={job.createdAt} /> },
    { field: 'startedAt', hidden: true, cell: (job) => <Time value={job.startedAt} /> },
    { field: 'finishedAt', hidden: true, cell: (job) => <Time value={job.finishedAt} /> },
    { field: 'attempt', hidden: true, cell: (job) => <span className="tabular-nums">{job.attempt}</span> },
    { id: 'actions', label: 'Actions', hideLabel: true, last: true, cell: (job) => <JobButtons job={job} /> },
  ],
  filters: ['state', 'kind', 'took', 'attempt', 'createdAt', 'startedAt', 'finishedAt'],
  labels: {
    kind: (value) => (isJobKind(value) ? jobKindLabel(value) : undefined),
    state: (value) => (isState(value) ? stateLabels[value] : undefined),
  },
  texts: {
    search: 'Search jobs',
    empty: 'No jobs yet.',
    narrowed: 'No jobs found.',
    failure: 'Failed to load jobs.',
  },
});
