import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { useFileName } from '../../../features/reports/use-file-name.ts';
import { vulnerabilitiesQuery } from '../../../features/vulnerabilities/queries.ts';
import { vulnerabilitiesSearch } from '../../../features/vulnerabilities/searches.ts';
import { VulnerabilitiesPage } from '../../../features/vulnerabilities/vulnerabilities-page.tsx';
import { queryOf } from '../../../lib/list-search.ts';

export const Route = createFileRoute('/dashboard/vulnerabilities/')({
  staticData: { crumb: 'Vulnerabilities' },
  validateSearch: vulnerabilitiesSearch,
  search: { middlewares: [stripSearchParams(vulnerabilitiesSearch.parse({}))] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    void queryClient.prefetchQuery(vulnerabilitiesQuery(queryOf(deps))),
  component: Vulnerabilities,
});

function Vulnerabilities() {
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  return (
    <VulnerabilitiesPage
      search={search}
      fileName={useFileName(search.fileId)}
      onSearch={(next) => void navigate({ search: next })}
    />
  );
}
