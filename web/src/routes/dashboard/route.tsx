import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { UserMenu } from '../../features/accounts/user-menu.tsx';
import { JobDrawerButton } from '../../features/jobs/job-drawer-button.tsx';
import { AppShell } from '../../features/shell/app-shell.tsx';
import { meQuery } from '../../lib/account.ts';
import { ApiError } from '../../lib/call-errors.ts';
import { useLive } from '../../lib/use-live.ts';

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

// What stands beside every page but is not seen at first comes after the page.
const JobDrawer = lazy(async () => ({
  default: (await import('../../features/jobs/job-drawer.tsx')).JobDrawer,
}));
const UploadHost = lazy(async () => ({
  default: (await import('../../features/reports/upload-host.tsx')).UploadHost,
}));

function Dashboard() {
  const { user } = Route.useRouteContext();
  useLive();
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
      <Suspense>
        <JobDrawer />
        <UploadHost />
      </Suspense>
    </AppShell>
  );
}
