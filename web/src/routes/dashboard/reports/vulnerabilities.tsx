import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { useFileName } from '../../../features/reports/import-query.ts';
import { vulnerabilityDataSource } from '../../../features/vulnerabilities/list/vulnerability-sources.ts';
import { VulnerabilityDataPage } from '../../../features/vulnerabilities/list/vulnerability-data-page.tsx';
import { UploadButton } from '../../../features/reports/upload/upload-button.tsx';

export const Route = createFileRoute('/dashboard/reports/vulnerabilities')({
  staticData: { crumb: 'Vulnerability data', section: 'Reports' },
  validateSearch: vulnerabilityDataSource.schema,
  search: { middlewares: [stripSearchParams(vulnerabilityDataSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    void queryClient.prefetchQuery(vulnerabilityDataSource.query(deps)),
  component: VulnerabilityData,
});

function VulnerabilityData() {
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  return (
    <VulnerabilityDataPage
      search={search}
      fileName={useFileName(search.fileId)}
      firstAction={<UploadButton />}
      onSearch={(next, how) => void navigate({ search: next, ...how })}
    />
  );
}
