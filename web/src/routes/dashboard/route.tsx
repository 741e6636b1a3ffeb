import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { UserMenu } from '../../features/accounts/user-menu.tsx';
import { JobDrawer, JobDrawerButton } from '../../features/jobs/job-drawer.tsx';
import { UploadHost } from '../../features/reports/upload-host.tsx';
import { AppShell } from '../../features/shell/app-shell.tsx';
import { meQuery } from '../../lib/account.ts';
import { ApiError } from '../../lib/call-errors.ts';
import { startLive } from '../../lib/live.ts';

export const Route = createFileRoute('/dashboard')({
  staticData: { crumb: 'Dashboard' },
  async beforeLoad({ context: { queryClient }, location }) {
    try {
      return { user: await queryClient.ensureQueryData(meQuery) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw redirect({ to: '/login', search: { next: location.href } });
    }
  },
  component: Dashboard,
});

function Dashboard() {
  const { user } = Route.useRouteContext();
  const queryClient = useQueryClient();
  useEffect(() => startLive(queryClient), [queryClient]);
  return (
    <AppShell
      tools={
        <>
          <JobDrawerButton />
          <UserMenu user={user} />
        </>
      }
    >
      <Outlet />
      <JobDrawer />
      <UploadHost />
    </AppShell>
  );
}
