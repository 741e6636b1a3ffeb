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
    const current = jobs.get(row._id);
    return current !== undefined && current.version > row.version ? current : row;
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
      <PageHeader title="Jobs" description="Background jobs, such as reading reports and extracting data." />
      <ListPage
        view={jobsView}
        query={{ ...query, data }}
        search={search}
        onSearch={onSearch}
        empty={{
          icon: <ListChecks aria-hidden size={20} />,
          description: 'Jobs appear here after you upload a report.',
        }}
      />
    </>
  );
}
