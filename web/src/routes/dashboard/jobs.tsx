import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { JobsPage } from '../../features/jobs/jobs-page.tsx';
import { jobsSource } from '../../features/jobs/jobs-source.ts';
import { UploadButton } from '../../features/reports/upload/upload-button.tsx';

export const Route = createFileRoute('/dashboard/jobs')({
  staticData: { crumb: 'Jobs' },
  validateSearch: jobsSource.schema,
  search: { middlewares: [stripSearchParams(jobsSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(jobsSource.query(deps)),
  component: Jobs,
});

function Jobs() {
  const navigate = Route.useNavigate();
  return (
    <JobsPage
      search={Route.useSearch()}
      firstAction={<UploadButton />}
      onSearch={(search, how) => void navigate({ search, ...how })}
    />
  );
}
