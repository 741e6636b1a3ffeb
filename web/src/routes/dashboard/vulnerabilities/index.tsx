import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { useFileName } from '../../../features/reports/import-query.ts';
import { vulnerabilitiesSource } from '../../../features/vulnerabilities/list/vulnerability-sources.ts';
import { VulnerabilitiesPage } from '../../../features/vulnerabilities/list/vulnerabilities-page.tsx';
import { UploadButton } from '../../../features/reports/upload/upload-button.tsx';

export const Route = createFileRoute('/dashboard/vulnerabilities/')({
  staticData: { crumb: 'Vulnerabilities' },
  validateSearch: vulnerabilitiesSource.schema,
  search: { middlewares: [stripSearchParams(vulnerabilitiesSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    void queryClient.prefetchQuery(vulnerabilitiesSource.query(deps)),
  component: Vulnerabilities,
});

function Vulnerabilities() {
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  return (
    <VulnerabilitiesPage
      search={search}
      fileName={useFileName(search.fileId)}
      firstAction={<UploadButton />}
      onSearch={(next, how) => void navigate({ search: next, ...how })}
    />
  );
}
