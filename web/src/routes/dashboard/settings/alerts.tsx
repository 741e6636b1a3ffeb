import { createFileRoute } from '@tanstack/react-router';
import { RulesPage } from '../../../features/alerts/rules/rules-page.tsx';
import { prefetch } from '../../../lib/api/prefetch.ts';

export const Route = createFileRoute('/dashboard/settings/alerts')({
  staticData: { crumb: 'Alert rules' },
  loader: ({ context: { queryClient } }) =>
    prefetch(async () => {
      const { rulesQuery } = await import('../../../features/alerts/queries.ts');
      await queryClient.prefetchQuery(rulesQuery);
    }),
  component: RulesPage,
});
