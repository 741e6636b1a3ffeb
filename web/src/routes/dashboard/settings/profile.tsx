import { createFileRoute } from '@tanstack/react-router';
import { ProfilePage } from '../../../features/settings/profile/profile-page.tsx';
import { membershipsQuery } from '../../../lib/session/account.ts';

export const Route = createFileRoute('/dashboard/settings/profile')({
  staticData: { crumb: 'Profile' },
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(membershipsQuery),
  component: ProfilePage,
});
