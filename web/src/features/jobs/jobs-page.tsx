import { JobKind, JobState, jobStates, type Job } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useJobs, type JobMap } from '../../lib/job-store.ts';
import { kindWords, stateWords } from '../../lib/job-words.ts';
import { queryOf } from '../../lib/list-search.ts';
import { ListView } from '../../ui/list-view.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Select } from '../../ui/select.tsx';
import { jobsColumns } from './jobs-columns.tsx';
import type { JobsSearch } from './jobs-search.ts';
import { jobsQuery } from './queries.ts';

interface JobsPageProps {
  search: JobsSearch;
  onSearch: (search: JobsSearch) => void;
}

const any = 'any';
const stateItems = [
  { value: any, label: 'Any state' },
  ...jobStates.map((state) => ({ value: state, label: stateWords[state] })),
];
const kindItems = [
  { value: any, label: 'Any job' },
  ...JobKind.options.map((kind) => ({ value: kind, label: kindWords[kind] })),
];

/** The newer of what the list and the socket say about a job: rows move without being fetched again. */
function live(rows: readonly Job[], jobs: JobMap): Job[] {
  return rows.map((row) => {
    const told = jobs.get(row._id);
    return told !== undefined && told.version > row.version ? told : row;
  });
}

/** All background jobs, by state and kind. */
export function JobsPage({ search, onSearch }: JobsPageProps) {
  const jobs = useJobs();
  const query = useQuery(jobsQuery(queryOf(search)));
  const data = query.data && { rows: live(query.data.jobs, jobs), total: query.data.total };
  const filtered = search.state !== undefined || search.kind !== undefined;
  const filter = (change: Partial<JobsSearch>) => onSearch({ ...search, page: 1, ...change });

  return (
    <>
      <PageHeader
        title="Jobs"
        description="Work in the background: reading reports and extracting from them."
      />
      <ListView
        label="Jobs"
        columns={jobsColumns}
        rowId={(job) => job._id}
        query={{ ...query, data }}
        search={search}
        onSearch={onSearch}
        texts={{ empty: filtered ? 'No jobs found.' : 'No jobs yet.', failure: 'Failed to load jobs.' }}
        emptyHint={{
          icon: <ListChecks aria-hidden size={20} />,
          description: 'Upload a report, and its reading shows here.',
        }}
        filters={
          <>
            <Select
              label="State"
              hideLabel
              items={stateItems}
              value={search.state ?? any}
              onChange={(value) => filter({ state: JobState.safeParse(value).data })}
            />
            <Select
              label="Kind"
              hideLabel
              items={kindItems}
              value={search.kind ?? any}
              onChange={(value) => filter({ kind: JobKind.safeParse(value).data })}
            />
          </>
        }
        onReset={filtered ? () => filter({ state: undefined, kind: undefined }) : undefined}
      />
    </>
  );
}
