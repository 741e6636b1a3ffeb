import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { ActivityPage } from '../../features/activity/activity-page.tsx';
import { activityQueryOf, activitySearch } from '../../features/activity/activity-search.ts';
import { activityQuery } from '../../features/activity/queries.ts';

export const Route = createFileRoute('/dashboard/activity')({
  staticData: { crumb: 'Activity' },
  validateSearch: activitySearch,
  search: { middlewares: [stripSearchParams(activitySearch.parse({}))] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    void queryClient.prefetchQuery(activityQuery(activityQueryOf(deps))),
  component: Activity,
});

function Activity() {
  const navigate = Route.useNavigate();
  return <ActivityPage search={Route.useSearch()} onSearch={(search) => void navigate({ search })} />;
}
