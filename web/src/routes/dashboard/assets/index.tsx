import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { assetsSource } from '../../../features/assets/list/asset-source.ts';
import { AssetsPage } from '../../../features/assets/list/assets-page.tsx';

export const Route = createFileRoute('/dashboard/assets/')({
  staticData: { crumb: 'Assets' },
  validateSearch: assetsSource.schema,
  search: { middlewares: [stripSearchParams(assetsSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(assetsSource.query(deps)),
  component: Assets,
});

function Assets() {
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  return <AssetsPage search={search} onSearch={(next, how) => void navigate({ search: next, ...how })} />;
}
