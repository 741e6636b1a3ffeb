import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { JobsPage } from '../../features/jobs/jobs-page.tsx';
import { jobsSearch } from '../../features/jobs/jobs-search.ts';
import { jobsQuery } from '../../features/jobs/queries.ts';
import { queryOf } from '../../lib/list-search.ts';

export const Route = createFileRoute('/dashboard/jobs')({
  staticData: { crumb: 'Jobs' },
  validateSearch: jobsSearch,
  search: { middlewares: [stripSearchParams(jobsSearch.parse({}))] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(jobsQuery(queryOf(deps))),
  component: Jobs,
});

function Jobs() {
  const navigate = Route.useNavigate();
  return <JobsPage search={Route.useSearch()} onSearch={(search) => void navigate({ search })} />;
}
