import { jobs as jobCalls, type Job, type JobState } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { call } from '../../lib/api/call.ts';
import { jobDrawer } from '../../lib/jobs/job-drawer-state.ts';
import { useJobs } from '../../lib/jobs/job-store.ts';
import { useStore } from '../../lib/browser/store.ts';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { JobAnnouncer } from './job-announcer.tsx';
import { JobCard } from './job-card.tsx';

/** Jobs shown per section; the jobs page has the rest. */
const mostInSection = 30;

/** Of these, the jobs that the first frame shows; the others follow in a render that input interrupts. */
const firstInSection = 4;

/** All background jobs, live. Mount once: it also announces started and ended jobs. */
export function JobDrawer() {
  const open = useStore(jobDrawer);
  return (
    <>
      <JobAnnouncer />
      <Drawer
        open={open}
        onOpenChange={jobDrawer.set}
        title="Background jobs"
        footer={
          <Link
            to="/dashboard/jobs"
            onClick={() => jobDrawer.set(false)}
            className="text-sm font-medium text-accent-text hover:underline"
          >
            All jobs
          </Link>
        }
      >
        {open && <JobSections />}
      </Drawer>
    </>
  );
}

const query = { pageSize: 50 };

/** Ended jobs shown in the drawer. */
const recentJobsQuery = queryOptions({
  queryKey: ['jobs', query],
  queryFn: ({ signal }) => call(jobCalls.list, { query, signal }),
  placeholderData: keepPreviousData,
});

function JobSections() {
  const live = useJobs();
  const { data, error, refetch } = useQuery(recentJobsQuery);
  const jobs = useMemo(() => mergeJobs(live.values(), data?.jobs ?? []), [live, data]);
  const most = useDeferredValue(mostInSection, firstInSection);
  if (jobs.length === 0 && error !== null) {
    return <ErrorState title="Failed to load jobs." error={error} onRetry={() => void refetch()} />;
  }
  if (jobs.length === 0 && data !== undefined) {
    return (
      <EmptyState
        icon={<ListChecks aria-hidden size={20} />}
        title="No jobs yet."
        description="Jobs appear here when reports are read or extracted."
      />
    );
  }
  return jobGroups.map((group) => {
    const members = jobsOf(group, jobs);
    if (members.length === 0) return null;
    return (
      <section key={group.id} aria-label={group.title} className="border-b last:border-b-0">
        <h3 className="sticky top-0 z-10 flex justify-between bg-sunken px-5 py-1.5 text-xs font-medium text-muted">
          {group.title}
          {/* Of the jobs that have ended only the newest are loaded. */}
          {group.isComplete && <span className="tabular-nums">{formatCount(members.length)}</span>}
        </h3>
        <ul className="divide-y">
          {members.slice(0, most).map((job) => (
            <li key={job._id}>
              <JobCard job={job} />
            </li>
          ))}
        </ul>
        {members.length > mostInSection && (
          <p className="px-5 pb-3 text-xs text-muted">
            {group.isComplete
              ? `and ${formatCount(members.length - mostInSection)} more`
              : 'Earlier ones are in the list of jobs.'}
          </p>
        )}
      </section>
    );
  });
}

/** Sections of the drawer, in display order. */
export const jobGroups = [
  { id: 'running', title: 'Running', states: ['running'], isComplete: true },
  { id: 'queued', title: 'Queued', states: ['queued'], isComplete: true },
  { id: 'failed', title: 'Failed', states: ['failed'], isComplete: false },
  { id: 'done', title: 'Done', states: ['succeeded', 'cancelled'], isComplete: false },
] as const satisfies readonly {
  id: string;
  title: string;
  states: readonly JobState[];
  isComplete: boolean;
}[];

type JobGroup = (typeof jobGroups)[number];

/** Merges the live store and the history; the newer version of a job wins. */
export function mergeJobs(live: Iterable<Job>, history: Iterable<Job>): Job[] {
  const byId = new Map<string, Job>();
  for (const source of [history, live]) {
    for (const job of source) {
      const known = byId.get(job._id);
      if (known === undefined || job.version >= known.version) byId.set(job._id, job);
    }
  }
  return [...byId.values()].toSorted((a, b) => compare(lastMoved(b), lastMoved(a)));
}

/** ISO times sort as plain texts; `localeCompare` takes ten times as long. */
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Time to sort by: the end of ended jobs, the start of running jobs, the creation of queued jobs. */
const lastMoved = (job: Job): string => job.finishedAt ?? job.startedAt ?? job.createdAt;

export function jobsOf(group: JobGroup, jobs: readonly Job[]): Job[] {
  const states: readonly JobState[] = group.states;
  return jobs.filter((job) => states.includes(job.state));
}
