import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { AlertsPage } from '../../features/alerts/inbox/alerts-page.tsx';
import { alertsSource } from '../../features/alerts/inbox/alerts-source.ts';

export const Route = createFileRoute('/dashboard/alerts')({
  staticData: { crumb: 'Alerts' },
  validateSearch: alertsSource.schema,
  search: { middlewares: [stripSearchParams(alertsSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(alertsSource.query(deps)),
  component: Alerts,
});

function Alerts() {
  const navigate = Route.useNavigate();
  return (
    <AlertsPage search={Route.useSearch()} onSearch={(search, how) => void navigate({ search, ...how })} />
  );
}
