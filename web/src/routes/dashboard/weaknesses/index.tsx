import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { weaknessesSource } from '../../../features/weaknesses/list/weaknesses-source.ts';
import { WeaknessesPage } from '../../../features/weaknesses/list/weaknesses-page.tsx';
import { catalogueQuery } from '../../../features/weaknesses/queries.ts';

export const Route = createFileRoute('/dashboard/weaknesses/')({
  staticData: { crumb: 'Weaknesses' },
  validateSearch: weaknessesSource.schema,
  search: { middlewares: [stripSearchParams(weaknessesSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(weaknessesSource.query(deps));
    void queryClient.prefetchQuery(catalogueQuery());
  },
  component: Weaknesses,
});

function Weaknesses() {
  const navigate = Route.useNavigate();
  return (
    <WeaknessesPage
      search={Route.useSearch()}
      onSearch={(search, how) => void navigate({ search, ...how })}
    />
  );
}
