import { createFileRoute } from '@tanstack/react-router';
import { EditVulnerabilityPage } from '../../../../features/vulnerabilities/form/vulnerability-form.tsx';
import { vulnerabilities } from '@riskboard/contract';
import { detailQuery } from '../../../../lib/entity/queries.ts';

export const Route = createFileRoute('/dashboard/vulnerabilities/$id/edit')({
  staticData: { crumb: 'Edit vulnerability', section: 'Vulnerabilities' },
  loader: ({ context: { queryClient }, params }) =>
    void queryClient.prefetchQuery(
      detailQuery({ noun: 'vulnerabilities', calls: vulnerabilities }, params.id),
    ),
  component: Edit,
});

function Edit() {
  return <EditVulnerabilityPage id={Route.useParams().id} />;
}
