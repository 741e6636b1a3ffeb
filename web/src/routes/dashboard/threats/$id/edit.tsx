import { createFileRoute } from '@tanstack/react-router';
import { EditThreatPage } from '../../../../features/threats/form/threat-form.tsx';
import { threat } from '../../../../features/threats/threat.ts';
import { detailQuery } from '../../../../lib/entity/queries.ts';

export const Route = createFileRoute('/dashboard/threats/$id/edit')({
  staticData: { crumb: 'Edit threat', section: 'Threats' },
  loader: ({ context: { queryClient }, params }) =>
    void queryClient.prefetchQuery(detailQuery(threat, params.id)),
  component: Edit,
});

function Edit() {
  return <EditThreatPage id={Route.useParams().id} />;
}
