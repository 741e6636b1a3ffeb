import { createFileRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { Timeline } from '../../../../features/activity/timeline.tsx';
import { Weakness } from '../../../../features/vulnerabilities/vulnerabilities-source.ts';
import { VulnerabilityPage } from '../../../../features/vulnerabilities/vulnerability-page.tsx';
import { vulnerabilityQuery } from '../../../../lib/record-queries.ts';

export const Route = createFileRoute('/dashboard/vulnerabilities/$id/')({
  staticData: {
    crumb: 'Vulnerability',
    section: { label: 'Vulnerabilities', to: '/dashboard/vulnerabilities' },
  },
  validateSearch: z.object({ weakness: Weakness }),
  loader: ({ context: { queryClient }, params: { id } }) =>
    void queryClient.prefetchQuery(vulnerabilityQuery(id)),
  component: Vulnerability,
});

function Vulnerability() {
  const { id } = Route.useParams();
  return <VulnerabilityPage key={id} id={id} activity={<Timeline nounId={id} />} />;
}
