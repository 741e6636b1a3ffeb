import { errors, type ErrorCode } from '@riskboard/contract';
import { Outlet, createFileRoute, redirect } from '@tanstack/react-router';
import { ApiError, isAccessEnd } from '../../lib/api/errors.ts';
import { meQuery } from '../../lib/session/account.ts';
import { continueTab } from './-continue-tab.ts';
import { Dashboard } from './-dashboard.tsx';

export const Route = createFileRoute('/dashboard')({
  staticData: { crumb: 'Dashboard' },
  async beforeLoad({ context: { queryClient }, location }) {
    try {
      continueTab(queryClient, await queryClient.ensureQueryData(meQuery));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      if (isAccessEnd(error)) throw redirect({ to: '/login', state: { notice: error.message } });
      const ended = error.code === ('session_expired' satisfies ErrorCode);
      throw redirect({
        to: '/login',
        search: { next: location.href },
        state: ended ? { notice: errors.session_expired.fallback } : {},
      });
    }
  },
  component: DashboardRoute,
});

function DashboardRoute() {
  return (
    <Dashboard>
      <Outlet />
    </Dashboard>
  );
}
