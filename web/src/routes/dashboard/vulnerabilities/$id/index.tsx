import { createFileRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { Timeline } from '../../../../features/activity/timeline.tsx';
import { VulnerabilityPage } from '../../../../features/vulnerabilities/vulnerability-page.tsx';
import { vulnerabilityQuery } from '../../../../lib/record-queries.ts';

export const Route = createFileRoute('/dashboard/vulnerabilities/$id/')({
  staticData: { crumb: 'Vulnerability', section: 'Vulnerabilities' },
  /** `weakness`: the CWE whose panel is open. */
  validateSearch: z.object({ weakness: z.string().max(40).optional().catch(undefined) }),
  loader: ({ context: { queryClient }, params: { id } }) =>
    void queryClient.prefetchQuery(vulnerabilityQuery(id)),
  component: Vulnerability,
});

function Vulnerability() {
  const { id } = Route.useParams();
  return <VulnerabilityPage key={id} id={id} activity={<Timeline nounId={id} />} />;
}
