import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { FilesPage } from '../../../features/reports/files-page.tsx';
import { filesSearch } from '../../../features/reports/files-search.ts';
import { filesQuery } from '../../../features/reports/queries.ts';
import { queryOf } from '../../../lib/list-search.ts';

export const Route = createFileRoute('/dashboard/reports/')({
  staticData: { crumb: 'Files', section: 'Reports' },
  validateSearch: filesSearch,
  search: { middlewares: [stripSearchParams(filesSearch.parse({}))] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(filesQuery(queryOf(deps))),
  component: Files,
});

function Files() {
  const navigate = Route.useNavigate();
  return <FilesPage search={Route.useSearch()} onSearch={(search) => void navigate({ search })} />;
}
