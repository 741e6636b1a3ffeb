import { createFileRoute } from '@tanstack/react-router';
import { OrganizationPage } from '../../../features/settings/organization/organization-page.tsx';
import { organizationQuery } from '../../../features/settings/queries.ts';

export const Route = createFileRoute('/dashboard/settings/organization')({
  staticData: { crumb: 'Organization' },
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(organizationQuery),
  component: OrganizationPage,
});
