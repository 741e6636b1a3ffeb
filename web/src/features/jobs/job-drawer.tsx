import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { formatCount } from '../../lib/format/format.ts';
import { useJobs } from '../../lib/jobs/job-store.ts';
import { useStore } from '../../lib/browser/store.ts';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { JobAnnouncer } from './job-announcer.tsx';
import { JobCard } from './job-card.tsx';
import { jobDrawer } from './job-drawer-button.tsx';
import { jobGroups, jobsOf, mergeJobs } from './job-groups.ts';
import { recentJobsQuery } from './queries.ts';

export { JobDrawerButton } from './job-drawer-button.tsx';

/** Jobs shown per section; the jobs page has the rest. */
const mostInSection = 30;

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

function JobSections() {
  const live = useJobs();
  const { data, error, refetch } = useQuery(recentJobsQuery);
  const jobs = mergeJobs(live.values(), data?.jobs ?? []);
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
          <span className="tabular-nums">{formatCount(members.length)}</span>
        </h3>
        <ul className="divide-y">
          {members.slice(0, mostInSection).map((job) => (
            <li key={job._id}>
              <JobCard job={job} />
            </li>
          ))}
        </ul>
        {members.length > mostInSection && (
          <p className="px-5 pb-3 text-xs text-muted">
            and {formatCount(members.length - mostInSection)} more
          </p>
        )}
      </section>
    );
  });
}
