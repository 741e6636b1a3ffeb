import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { useFileName } from '../../../features/reports/import-query.ts';
import { threatsSource } from '../../../features/threats/list/threat-sources.ts';
import { ThreatsPage } from '../../../features/threats/list/threats-page.tsx';
import { UploadButton } from '../../../features/reports/upload/upload-button.tsx';

export const Route = createFileRoute('/dashboard/threats/')({
  staticData: { crumb: 'Threats' },
  validateSearch: threatsSource.schema,
  search: { middlewares: [stripSearchParams(threatsSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(threatsSource.query(deps)),
  component: Threats,
});

function Threats() {
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  return (
    <ThreatsPage
      search={search}
      fileName={useFileName(search.fileId)}
      firstAction={<UploadButton />}
      onSearch={(next, how) => void navigate({ search: next, ...how })}
    />
  );
}
