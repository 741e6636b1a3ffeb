import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { importSearch, initialImportSearch } from '../../../features/imports/import-search.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';

// One part for both nouns: a page of its own for each would move its parts into what every page loads (decision 18).
const ImportPage = lazyPart(
  async () => (await import('../../../features/imports/import-page.tsx')).ImportPage,
  <Skeleton width="40%" />,
);

export const Route = createFileRoute('/dashboard/assets/import')({
  staticData: { crumb: 'Import CSV', section: { label: 'Assets', to: '/dashboard/assets' } },
  validateSearch: importSearch,
  search: { middlewares: [stripSearchParams(initialImportSearch)] },
  component: Import,
});

function Import() {
  const navigate = Route.useNavigate();
  return (
    <ImportPage
      noun="assets"
      search={Route.useSearch()}
      onSearch={(next, how) => void navigate({ search: next, resetScroll: false, ...how })}
    />
  );
}
