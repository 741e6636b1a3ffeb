import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { useFileName } from '../../../features/reports/use-file-name.ts';
import { threatsQuery } from '../../../features/threats/queries.ts';
import { ThreatsPage } from '../../../features/threats/threats-page.tsx';
import { threatsSearch } from '../../../features/threats/threats-search.ts';
import { queryOf } from '../../../lib/list-search.ts';

export const Route = createFileRoute('/dashboard/reports/threats')({
  staticData: { crumb: 'Threat data', section: 'Reports' },
  validateSearch: threatsSearch,
  search: { middlewares: [stripSearchParams(threatsSearch.parse({}))] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(threatsQuery(queryOf(deps))),
  component: ThreatData,
});

function ThreatData() {
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  return (
    <ThreatsPage
      list="data"
      search={search}
      fileName={useFileName(search.fileId)}
      onSearch={(next) => void navigate({ search: next })}
    />
  );
}
