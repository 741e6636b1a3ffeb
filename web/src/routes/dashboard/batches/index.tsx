import { createFileRoute } from '@tanstack/react-router';
import { BatchesPage } from '../../../features/batches/batches-page.tsx';
import { UploadButton } from '../../../features/reports/upload/upload-button.tsx';
import { page, searchSchema } from '../../../lib/list/search-schema.ts';

export const Route = createFileRoute('/dashboard/batches/')({
  staticData: { crumb: 'Batches', section: 'Reports' },
  validateSearch: searchSchema({ page }),
  component: Batches,
});

function Batches() {
  const navigate = Route.useNavigate();
  const { page: shown = 1 } = Route.useSearch();
  return (
    <BatchesPage
      page={shown}
      onPage={(next, how) => void navigate({ search: next > 1 ? { page: next } : {}, ...how })}
      upload={<UploadButton />}
    />
  );
}
