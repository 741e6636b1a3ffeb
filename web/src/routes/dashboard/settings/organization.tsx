import { createFileRoute } from '@tanstack/react-router';
import { OrganizationPage } from '../../../features/settings/organization/organization-page.tsx';
import { prefetch } from '../../../lib/api/prefetch.ts';

export const Route = createFileRoute('/dashboard/settings/organization')({
  staticData: { crumb: 'Organization' },
  loader: ({ context: { queryClient } }) =>
    prefetch(async () => {
      const { organizationQuery } = await import('../../../features/settings/queries.ts');
      await queryClient.prefetchQuery(organizationQuery);
    }),
  component: OrganizationPage,
});
