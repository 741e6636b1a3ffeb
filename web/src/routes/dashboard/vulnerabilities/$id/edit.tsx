import { createFileRoute } from '@tanstack/react-router';
import { VulnerabilityFormPage } from '../../../../features/vulnerabilities/vulnerability-form-page.tsx';
import { vulnerabilityQuery } from '../../../../lib/record-queries.ts';

export const Route = createFileRoute('/dashboard/vulnerabilities/$id/edit')({
  staticData: { crumb: 'Edit vulnerability', section: 'Vulnerabilities' },
  loader: ({ context: { queryClient }, params }) =>
    void queryClient.prefetchQuery(vulnerabilityQuery(params.id)),
  component: Edit,
});

function Edit() {
  return <VulnerabilityFormPage id={Route.useParams().id} />;
}
