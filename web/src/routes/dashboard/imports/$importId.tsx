import { createFileRoute } from '@tanstack/react-router';
import { ImportRedirect } from '../../../features/imports/import-redirect.tsx';

export const Route = createFileRoute('/dashboard/imports/$importId')({
  staticData: { crumb: 'CSV import' },
  component: Import,
});

function Import() {
  return <ImportRedirect id={Route.useParams().importId} />;
}
