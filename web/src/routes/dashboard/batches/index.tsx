import { createFileRoute } from '@tanstack/react-router';
import { BatchesPage } from '../../../features/batches/batches-page.tsx';
import { UploadButton } from '../../../features/reports/upload/upload-button.tsx';

interface BatchesSearch {
  page?: number;
}

export const Route = createFileRoute('/dashboard/batches/')({
  staticData: { crumb: 'Batches', section: 'Reports' },
  validateSearch: ({ page }: Record<string, unknown>): BatchesSearch =>
    Number.isInteger(page) && Number(page) > 1 ? { page: Number(page) } : {},
  component: Batches,
});

function Batches() {
  const navigate = Route.useNavigate();
  const { page = 1 } = Route.useSearch();
  return (
    <BatchesPage
      page={page}
      onPage={(next) => void navigate({ search: next > 1 ? { page: next } : {} })}
      upload={<UploadButton />}
    />
  );
}
