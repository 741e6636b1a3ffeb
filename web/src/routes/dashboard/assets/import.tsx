import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { ImportPage } from '../../../features/imports/import-page.tsx';
import { importSearch, initialImportSearch } from '../../../features/imports/import-search.ts';
import { importQuery } from '../../../features/imports/queries.ts';

export const Route = createFileRoute('/dashboard/assets/import')({
  staticData: { crumb: 'Import CSV', section: { label: 'Assets', to: '/dashboard/assets' } },
  validateSearch: importSearch,
  search: { middlewares: [stripSearchParams(initialImportSearch)] },
  loaderDeps: ({ search }) => ({ id: search.import }),
  loader: ({ context: { queryClient }, deps: { id } }) =>
    id === undefined ? undefined : void queryClient.prefetchQuery(importQuery(id)),
  component: Import,
});

function Import() {
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  return (
    <ImportPage
      noun="assets"
      search={search}
      onSearch={(change, how) =>
        void navigate({ search: { ...search, ...change }, resetScroll: false, ...how })
      }
    />
  );
}
