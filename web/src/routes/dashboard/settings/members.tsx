import { createFileRoute } from '@tanstack/react-router';
import { MembersPage } from '../../../features/settings/members/members-page.tsx';

export const Route = createFileRoute('/dashboard/settings/members')({
  staticData: { crumb: 'Members' },
  component: MembersPage,
});
