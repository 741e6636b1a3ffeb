import { createFileRoute } from '@tanstack/react-router';
import { SecurityPage } from '../../../features/settings/security/security-page.tsx';
import { prefetch } from '../../../lib/api/prefetch.ts';

export const Route = createFileRoute('/dashboard/settings/security')({
  staticData: { crumb: 'Security' },
  loader: ({ context: { queryClient } }) =>
    prefetch(async () => {
      const { secondFactorQuery, sessionsQuery } = await import('../../../features/settings/queries.ts');
      await Promise.all([
        queryClient.prefetchQuery(secondFactorQuery),
        queryClient.prefetchQuery(sessionsQuery),
      ]);
    }),
  component: SecurityPage,
});
