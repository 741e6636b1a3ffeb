import { createFileRoute } from '@tanstack/react-router';
import { LazyTimeline } from '../../../../features/activity/lazy-timeline.tsx';
import { weakness } from '../../../../features/vulnerabilities/list/vulnerability-sources.ts';
import { VulnerabilityPage } from '../../../../features/vulnerabilities/detail/vulnerability-page.tsx';
import { page, searchSchema } from '../../../../lib/list/search-schema.ts';
import { vulnerabilities } from '@riskboard/contract';
import { detailQuery } from '../../../../lib/entity/queries.ts';

export const Route = createFileRoute('/dashboard/vulnerabilities/$id/')({
  staticData: {
    crumb: 'Vulnerability',
    section: { label: 'Vulnerabilities', to: '/dashboard/vulnerabilities' },
  },
  // `version`: an earlier CWSS score.
  validateSearch: searchSchema({ weakness, version: page }),
  loader: ({ context: { queryClient }, params: { id } }) =>
    void queryClient.prefetchQuery(detailQuery({ noun: 'vulnerabilities', calls: vulnerabilities }, id)),
  component: Vulnerability,
});

function Vulnerability() {
  const { id } = Route.useParams();
  return <VulnerabilityPage key={id} id={id} activity={<LazyTimeline of={{ nounId: id }} />} />;
}
