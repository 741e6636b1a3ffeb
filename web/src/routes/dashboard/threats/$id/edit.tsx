import { createFileRoute } from '@tanstack/react-router';
import { ThreatFormPage } from '../../../../features/threats/threat-form-page.tsx';
import { threatQuery } from '../../../../lib/record-queries.ts';

export const Route = createFileRoute('/dashboard/threats/$id/edit')({
  staticData: { crumb: 'Edit threat', section: 'Threats' },
  loader: ({ context: { queryClient }, params }) => void queryClient.prefetchQuery(threatQuery(params.id)),
  component: Edit,
});

function Edit() {
  return <ThreatFormPage id={Route.useParams().id} />;
}
