import type { Job } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useNewestJobs } from '../../lib/jobs/job-store.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../ui/list/list-control.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { jobsSource, type JobsSearch } from './jobs-source.ts';
import { jobsView } from './jobs-view.tsx';

interface JobsPageProps {
  search: JobsSearch;
  onSearch: (search: JobsSearch, how?: HowChanged) => void;
  /** Button of the empty list. */
  firstAction: ReactNode;
}

const noJobs: readonly Job[] = [];
const extraLabels = { alert: 'Reported by one alert' } as const;

/** All background jobs, filtered by state and kind. */
export function JobsPage({ search, onSearch, firstAction }: JobsPageProps) {
  const query = useQuery(jobsSource.query(search));
  const jobs = useNewestJobs(query.data?.jobs ?? noJobs);
  const data = useMemo(() => query.data && { ...query.data, jobs: [...jobs] }, [query.data, jobs]);
  return (
    <>
      <PageHeader title="Jobs" description="Background jobs, such as reading reports and extracting data." />
      <ListPage
        view={jobsView}
        query={{ ...query, data }}
        search={search}
        onSearch={onSearch}
        extraLabels={extraLabels}
        empty={{
          icon: <ListChecks aria-hidden size={20} />,
          description: 'Jobs appear here after you upload a report.',
          action: firstAction,
        }}
      />
    </>
  );
}
