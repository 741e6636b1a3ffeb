import { createFileRoute } from '@tanstack/react-router';
import { EditThreatPage } from '../../../../features/threats/form/threat-form.tsx';
import { threats } from '@riskboard/contract';
import { detailQuery } from '../../../../lib/entity/queries.ts';

export const Route = createFileRoute('/dashboard/threats/$id/edit')({
  staticData: { crumb: 'Edit threat', section: 'Threats' },
  loader: ({ context: { queryClient }, params }) =>
    void queryClient.prefetchQuery(detailQuery({ noun: 'threats', calls: threats }, params.id)),
  component: Edit,
});

function Edit() {
  return <EditThreatPage id={Route.useParams().id} />;
}
