import { errors, type ErrorCode, type User } from '@riskboard/contract';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Outlet, createFileRoute, redirect, useLocation } from '@tanstack/react-router';
import { Suspense, lazy, useEffect } from 'react';
import { useAccount, useSessionEnd } from '../../features/accounts/use-session.ts';
import { UserMenu } from '../../features/accounts/user-menu.tsx';
import { JobDrawerButton } from '../../features/jobs/job-drawer-button.tsx';
import { PaletteButton } from '../../features/palette/palette-button.tsx';
import { AppShell } from '../../features/shell/app-shell.tsx';
import { ApiError } from '../../lib/api/errors.ts';
import { followedWork } from '../../lib/jobs/followed-work.ts';
import { restoreJobs } from '../../lib/jobs/kept-jobs.ts';
import { useLive } from '../../lib/live/use-live.ts';
import { meQuery } from '../../lib/session/account.ts';
import { useCommands } from './-use-commands.tsx';

export const Route = createFileRoute('/dashboard')({
  staticData: { crumb: 'Dashboard' },
  async beforeLoad({ context: { queryClient }, location }) {
    try {
      continueTab(queryClient, await queryClient.ensureQueryData(meQuery));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      const ended = error.code === ('session_expired' satisfies ErrorCode);
      throw redirect({
        to: '/login',
        search: { next: location.href },
        state: ended ? { notice: errors.session_expired.fallback } : {},
      });
    }
  },
  component: Dashboard,
});

/** Continues what this tab showed before a reload: the jobs, and the toasts about the end of work. */
function continueTab(queryClient: QueryClient, { _id, organizationId }: User): void {
  const owner = `${_id} ${organizationId}`;
  restoreJobs(owner);
  const works = followedWork.setOwner(owner);
  if (works.length > 0)
    void import('./-resume-work.ts').then(({ resumeWork }) => resumeWork(queryClient, works));
}

/** The page that remains available while a required second factor is missing. */
const setUpPage = '/dashboard/settings/security';

// Loaded after the page: rarely shown, or closed at first.
const SecondFactorNotice = lazy(async () => ({
  default: (await import('../../features/accounts/second-factor-notice.tsx')).SecondFactorNotice,
}));
const JobDrawer = lazy(async () => ({
  default: (await import('../../features/jobs/job-drawer.tsx')).JobDrawer,
}));
const UploadHost = lazy(async () => ({
  default: (await import('../../features/reports/upload/upload-host.tsx')).UploadHost,
}));

function Dashboard() {
  const user = useAccount();
  // The API then refuses everything but the user's own account.
  const locked = user.secondFactorRequired && !user.secondFactor;
  const settingUp = useLocation({ select: ({ pathname }) => pathname === setUpPage });
  const commands = useCommands();
  useSessionEnd();
  useLive(!locked);
  const queryClient = useQueryClient();
  // The user may switch to another organization in another tab.
  useEffect(() => continueTab(queryClient, user), [queryClient, user]);
  return (
    <AppShell
      live={!locked}
      search={!locked && <PaletteButton commands={commands} />}
      tools={
        <>
          {!locked && <JobDrawerButton />}
          <UserMenu user={user} />
        </>
      }
    >
      {locked && !settingUp ? (
        <Suspense>
          <SecondFactorNotice user={user} />
        </Suspense>
      ) : (
        <Outlet />
      )}
      {!locked && (
        <Suspense>
          <JobDrawer />
          <UploadHost />
        </Suspense>
      )}
    </AppShell>
  );
}
