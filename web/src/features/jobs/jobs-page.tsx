import type { Job } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useMemo } from 'react';
import { useJobs, type JobMap } from '../../lib/jobs/job-store.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../ui/list/list-control.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { jobsSource, type JobsSearch } from './jobs-source.ts';
import { jobsView } from './jobs-view.tsx';

interface JobsPageProps {
  search: JobsSearch;
  onSearch: (search: JobsSearch, how?: HowChanged) => void;
}

/** Rows of the list, each replaced by the job store's version when that is newer. */
function live(rows: readonly Job[], jobs: JobMap): Job[] {
  return rows.map((row) => {
    const told = jobs.get(row._id);
    return told !== undefined && told.version > row.version ? told : row;
  });
}

/** All background jobs, filtered by state and kind. */
export function JobsPage({ search, onSearch }: JobsPageProps) {
  const jobs = useJobs();
  const query = useQuery(jobsSource.query(search));
  const data = useMemo(
    () => query.data && { ...query.data, jobs: live(query.data.jobs, jobs) },
    [query.data, jobs],
  );
  return (
    <>
      <PageHeader
        title="Jobs"
        description="Work in the background: reading reports and extracting from them."
      />
      <ListPage
        view={jobsView}
        query={{ ...query, data }}
        search={search}
        onSearch={onSearch}
        empty={{
          icon: <ListChecks aria-hidden size={20} />,
          description: 'Upload a report, and its reading shows here.',
        }}
      />
    </>
  );
}
