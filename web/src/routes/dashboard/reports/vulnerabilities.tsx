import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { useFileName } from '../../../features/reports/use-file-name.ts';
import { fromReportsQuery } from '../../../features/vulnerabilities/queries.ts';
import { vulnerabilityDataSearch } from '../../../features/vulnerabilities/searches.ts';
import { VulnerabilityDataPage } from '../../../features/vulnerabilities/vulnerability-data-page.tsx';
import { queryOf } from '../../../lib/list-search.ts';

export const Route = createFileRoute('/dashboard/reports/vulnerabilities')({
  staticData: { crumb: 'Vulnerability data', section: 'Reports' },
  validateSearch: vulnerabilityDataSearch,
  search: { middlewares: [stripSearchParams(vulnerabilityDataSearch.parse({}))] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    void queryClient.prefetchQuery(fromReportsQuery(queryOf(deps))),
  component: VulnerabilityData,
});

function VulnerabilityData() {
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  return (
    <VulnerabilityDataPage
      search={search}
      fileName={useFileName(search.fileId)}
      onSearch={(next) => void navigate({ search: next })}
    />
  );
}
