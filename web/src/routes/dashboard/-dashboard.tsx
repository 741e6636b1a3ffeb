import { ownerOf, type User } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { usePageUser, useSessionEnd } from '../../features/accounts/use-session.ts';
import { UserMenu } from '../../features/accounts/user-menu.tsx';
import { JobDrawerButton } from '../../features/jobs/job-drawer-button.tsx';
import { PaletteButton } from '../../features/palette/palette-button.tsx';
import { AppShell } from '../../features/shell/app-shell.tsx';
import { pagesWithKeys } from '../../features/shell/navigation.ts';
import { idlePart } from '../../ui/layout/idle-part.tsx';
import { useLive } from '../../lib/live/use-live.ts';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { continueTab } from './-continue-tab.ts';

/** The page that remains available while a required second factor is missing. */
const setUpPage = '/dashboard/settings/security';

// Loaded after the page: rarely shown, or closed at first.
const SecondFactorNotice = lazyPart(
  async () => (await import('../../features/accounts/second-factor-notice.tsx')).SecondFactorNotice,
);
const { Part: AppPalette, useIdleLoad: useAppPalette } = idlePart(
  async () => (await import('./-app-palette.tsx')).AppPalette,
  null,
);
const AlertsButton = lazyPart(
  async () => (await import('../../features/alerts/alerts-button.tsx')).AlertsButton,
  // As wide as the button, so that nothing moves.
  <span aria-hidden className="size-8" />,
  true,
);
const PageHosts = lazyPart(async () => (await import('./-page-hosts.tsx')).PageHosts, null, true);

/** The shell with its tools, for every page of a signed-in user; another account or organization starts over. */
export function Dashboard({ children }: { children: ReactNode }) {
  const user = usePageUser();
  if (user === undefined) return null;
  return (
    <DashboardOf key={ownerOf(user)} user={user}>
      {children}
    </DashboardOf>
  );
}

function DashboardOf({ user, children }: { user: User; children: ReactNode }) {
  // The API then refuses everything but the user's own account.
  const locked = user.secondFactorRequired && !user.secondFactor;
  const settingUp = useLocation({ select: ({ pathname }) => pathname === setUpPage });
  useAppPalette();
  useSessionEnd();
  useLive(!locked);
  const queryClient = useQueryClient();
  // Also for addresses that have no route below the dashboard.
  useEffect(() => continueTab(queryClient, user), [queryClient, user]);
  const notice = useLocation({ select: ({ state }) => state.notice });
  return (
    <AppShell
      live={!locked}
      search={!locked && <PaletteButton palette={AppPalette} pages={pagesWithKeys} />}
      tools={
        <>
          {!locked && <AlertsButton />}
          {!locked && <JobDrawerButton />}
          <UserMenu user={user} />
        </>
      }
    >
      {notice !== undefined && (
        <output className="mb-4 block">
          <Notice tone="warning">{notice}</Notice>
        </output>
      )}
      {locked && !settingUp ? <SecondFactorNotice user={user} /> : children}
      {!locked && <PageHosts />}
    </AppShell>
  );
}
