import { createFileRoute } from '@tanstack/react-router';
import { LazyTimeline } from '../../../../features/activity/lazy-timeline.tsx';
import { ThreatPage } from '../../../../features/threats/detail/threat-page.tsx';
import { threats } from '@riskboard/contract';
import { detailQuery } from '../../../../lib/entity/queries.ts';

export const Route = createFileRoute('/dashboard/threats/$id/')({
  staticData: { crumb: 'Threat', section: { label: 'Threats', to: '/dashboard/threats' } },
  loader: ({ context: { queryClient }, params: { id } }) =>
    void queryClient.prefetchQuery(detailQuery({ noun: 'threats', calls: threats }, id)),
  component: Threat,
});

function Threat() {
  const { id } = Route.useParams();
  return <ThreatPage key={id} id={id} activity={<LazyTimeline of={{ nounId: id }} />} />;
}
