import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { LazyTimeline } from '../../../features/activity/lazy-timeline.tsx';
import { ImportPage } from '../../../features/reports/import/import-page.tsx';
import { objectsSource } from '../../../features/reports/import/objects-source.ts';
import { importReportQuery } from '../../../features/reports/import-query.ts';

export const Route = createFileRoute('/dashboard/reports/$fileId')({
  staticData: { crumb: 'Import report', section: 'Reports' },
  validateSearch: objectsSource.schema,
  search: { middlewares: [stripSearchParams(objectsSource.initial)] },
  loader: ({ context: { queryClient }, params: { fileId } }) =>
    void queryClient.prefetchQuery(importReportQuery(fileId)),
  component: ImportReport,
});

function ImportReport() {
  const navigate = Route.useNavigate();
  const { fileId } = Route.useParams();
  return (
    <ImportPage
      key={fileId}
      fileId={fileId}
      search={Route.useSearch()}
      onSearch={(search, how) => void navigate({ search, resetScroll: false, ...how })}
      activity={<LazyTimeline of={{ nounId: fileId }} />}
    />
  );
}
