import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { VignettesPage } from '../../../../features/vignettes/list/vignettes-page.tsx';
import { vignettesSource } from '../../../../features/vignettes/vignettes-source.ts';

export const Route = createFileRoute('/dashboard/reports/vignettes/')({
  staticData: { crumb: 'Vignettes', section: 'Reports' },
  validateSearch: vignettesSource.schema,
  search: { middlewares: [stripSearchParams(vignettesSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(vignettesSource.query(deps)),
  component: Vignettes,
});

function Vignettes() {
  const navigate = Route.useNavigate();
  return (
    <VignettesPage search={Route.useSearch()} onSearch={(search, how) => void navigate({ search, ...how })} />
  );
}
