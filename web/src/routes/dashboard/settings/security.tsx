import { createFileRoute } from '@tanstack/react-router';
import { SecurityPage } from '../../../features/settings/security/security-page.tsx';
import { secondFactorQuery, sessionsQuery } from '../../../features/settings/queries.ts';

export const Route = createFileRoute('/dashboard/settings/security')({
  staticData: { crumb: 'Security' },
  loader({ context: { queryClient } }) {
    void queryClient.prefetchQuery(secondFactorQuery);
    void queryClient.prefetchQuery(sessionsQuery);
  },
  component: SecurityPage,
});
