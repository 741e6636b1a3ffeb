import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Suspense, lazy, type ReactNode, useEffect } from 'react';
import { useAccount, useSessionEnd } from '../../features/accounts/use-session.ts';
import { UserMenu } from '../../features/accounts/user-menu.tsx';
import { droppedCsv } from '../../features/imports/upload/csv-drop-state.ts';
import { JobDrawerButton } from '../../features/jobs/job-drawer-button.tsx';
import { PaletteButton } from '../../features/palette/palette-button.tsx';
import { openVignetteUpload } from '../../features/vignettes/upload/vignette-upload-state.ts';
import { AppShell } from '../../features/shell/app-shell.tsx';
import { pagesWithKeys } from '../../features/shell/navigation.ts';
import { idlePart } from '../../ui/layout/idle-part.tsx';
import { useLive } from '../../lib/live/use-live.ts';
import { continueTab } from './-continue-tab.ts';

/** The page that remains available while a required second factor is missing. */
const setUpPage = '/dashboard/settings/security';

// Loaded after the page: rarely shown, or closed at first.
const SecondFactorNotice = lazy(async () => ({
  default: (await import('../../features/accounts/second-factor-notice.tsx')).SecondFactorNotice,
}));
const { Part: AppPalette, useIdleLoad: useAppPalette } = idlePart(
  async () => (await import('./-app-palette.tsx')).AppPalette,
  null,
);
const JobDrawer = lazy(async () => ({
  default: (await import('../../features/jobs/job-drawer.tsx')).JobDrawer,
}));
const CsvQuestion = lazy(async () => ({
  default: (await import('../../features/imports/upload/csv-question.tsx')).CsvQuestion,
}));
const VignetteUploadHost = lazy(async () => ({
  default: (await import('../../features/vignettes/upload/vignette-upload-host.tsx')).VignetteUploadHost,
}));
const UploadHost = lazy(async () => ({
  default: (await import('../../features/reports/upload/upload-host.tsx')).UploadHost,
}));

/** Opens the upload of vignettes with a dropped file that is one. */
async function takeVignette(file: File): Promise<boolean> {
  const { isVignetteFile } = await import('../../features/vignettes/upload/vignette-file.ts');
  if (!(await isVignetteFile(file))) return false;
  openVignetteUpload(file);
  return true;
}

/** The shell with its tools, for every page of a signed-in user. */
export function Dashboard({ children }: { children: ReactNode }) {
  const user = useAccount();
  // The API then refuses everything but the user's own account.
  const locked = user.secondFactorRequired && !user.secondFactor;
  const settingUp = useLocation({ select: ({ pathname }) => pathname === setUpPage });
  useAppPalette();
  useSessionEnd();
  useLive(!locked);
  const queryClient = useQueryClient();
  // The user may switch to another organization in another tab.
  useEffect(() => continueTab(queryClient, user), [queryClient, user]);
  return (
    <AppShell
      live={!locked}
      search={!locked && <PaletteButton palette={AppPalette} pages={pagesWithKeys} />}
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
        children
      )}
      {!locked && (
        <Suspense>
          <JobDrawer />
          <UploadHost onCsv={droppedCsv.set} onVignette={takeVignette} />
          <VignetteUploadHost />
          <CsvQuestion />
        </Suspense>
      )}
    </AppShell>
  );
}
