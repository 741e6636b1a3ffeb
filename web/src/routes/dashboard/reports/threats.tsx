import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { useFileName } from '../../../features/reports/import-query.ts';
import { threatDataSource } from '../../../features/threats/list/threat-sources.ts';
import { ThreatDataPage } from '../../../features/threats/list/threat-data-page.tsx';
import { UploadButton } from '../../../features/reports/upload/upload-button.tsx';

export const Route = createFileRoute('/dashboard/reports/threats')({
  staticData: { crumb: 'Threat data', section: 'Reports' },
  validateSearch: threatDataSource.schema,
  search: { middlewares: [stripSearchParams(threatDataSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    void queryClient.prefetchQuery(threatDataSource.query(deps)),
  component: ThreatData,
});

function ThreatData() {
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  return (
    <ThreatDataPage
      search={search}
      fileName={useFileName(search.fileId)}
      firstAction={<UploadButton />}
      onSearch={(next, how) => void navigate({ search: next, ...how })}
    />
  );
}
