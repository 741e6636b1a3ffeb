import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { ActivityPage } from '../../features/activity/activity-page.tsx';
import { activitySource } from '../../features/activity/activity-source.ts';
import { UploadButton } from '../../features/reports/upload/upload-button.tsx';

export const Route = createFileRoute('/dashboard/activity')({
  staticData: { crumb: 'Activity' },
  validateSearch: activitySource.schema,
  search: { middlewares: [stripSearchParams(activitySource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(activitySource.query(deps)),
  component: Activity,
});

function Activity() {
  const navigate = Route.useNavigate();
  return (
    <ActivityPage
      search={Route.useSearch()}
      firstAction={<UploadButton />}
      onSearch={(search, how) => void navigate({ search, ...how })}
    />
  );
}
