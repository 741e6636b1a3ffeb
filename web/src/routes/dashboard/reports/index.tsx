import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { FilesPage } from '../../../features/reports/files/files-page.tsx';
import { filesSource } from '../../../features/reports/files/files-source.ts';
import { DataUploadMenu } from '../../../features/reports/upload/data-upload-menu.tsx';
import { openVignetteUpload } from '../../../features/vignettes/upload/vignette-upload-state.ts';

export const Route = createFileRoute('/dashboard/reports/')({
  staticData: { crumb: 'Files', section: 'Reports' },
  validateSearch: filesSource.schema,
  search: { middlewares: [stripSearchParams(filesSource.initial)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(filesSource.query(deps)),
  component: Files,
});

function Files() {
  const navigate = Route.useNavigate();
  return (
    <FilesPage
      search={Route.useSearch()}
      onSearch={(search, how) => void navigate({ search, ...how })}
      upload={<DataUploadMenu onUploadVignette={openVignetteUpload} />}
    />
  );
}
