import { importNouns, imports, reports, vignettes } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { FileUp, Grid3x3, Keyboard, ListChecks, LogOut, Monitor, Moon, Sheet, Sun } from 'lucide-react';
import { useLogoutCommand } from '../../features/accounts/use-session.ts';
import { importTitle } from '../../features/imports/import-labels.ts';
import { importPages } from '../../features/imports/import-search.ts';
import type { Command } from '../../lib/browser/commands.ts';
import { Palette } from '../../features/palette/palette.tsx';
import { creatable } from '../../features/palette/record-routes.tsx';
import { overlay } from '../../features/palette/palette-state.ts';
import { uploadDialog } from '../../features/reports/upload/upload-dialog-state.ts';
import { navigation } from '../../features/shell/navigation.ts';
import { openVignetteUpload } from '../../features/vignettes/upload/vignette-upload-state.ts';
import { jobDrawer } from '../../lib/jobs/job-drawer-state.ts';
import { setTheme, useTheme } from '../../lib/browser/theme.ts';
import { meQuery } from '../../lib/session/account.ts';
import { refusalOf } from '../../lib/session/use-refusal.ts';

const themes = [
  { value: 'light', label: 'Use light theme', icon: Sun },
  { value: 'dark', label: 'Use dark theme', icon: Moon },
  { value: 'system', label: 'Use the system’s theme', icon: Monitor },
] as const;

/** Pages and actions of the palette that every page offers. */
function useAppCommands(): Command[] {
  const router = useRouter();
  const logout = useLogoutCommand();
  const theme = useTheme();
  const { data: user } = useQuery(meQuery);
  const href = useLocation({ select: (location) => location.href });

  const pages = navigation.flatMap((group): Command[] =>
    // The open page itself would lead nowhere.
    group.entries
      .filter(({ to }) => to !== href)
      .map(({ to, label, icon: Icon, ...entry }) => ({
        id: to,
        group: 'Pages',
        label,
        terms: 'title' in group ? group.title : undefined,
        icon: <Icon aria-hidden size={16} />,
        keys: 'keys' in entry ? entry.keys : undefined,
        run: () => void router.navigate({ to }),
      })),
  );
  return [
    ...pages,
    {
      id: 'upload',
      group: 'Actions',
      label: 'Upload STIX/TAXII',
      terms: 'import report file drop',
      icon: <FileUp aria-hidden size={16} />,
      refusal: refusalOf(user, reports.upload.access),
      run: () => uploadDialog.set(true),
    },
    {
      id: 'upload vignette',
      group: 'Actions',
      label: 'Upload Vignette',
      terms: 'import cwraf scorecard file json',
      icon: <Grid3x3 aria-hidden size={16} />,
      refusal: refusalOf(user, vignettes.upload.access),
      run: () => openVignetteUpload(),
    },
    ...creatable
      .filter(({ create }) => Object.hasOwn(router.routesByPath, create))
      .map(({ one, icon, create, access }): Command => ({
        id: `new ${one}`,
        group: 'Actions',
        label: `New ${one}`,
        terms: 'create add',
        icon,
        refusal: refusalOf(user, access),
        run: () => router.history.push(create),
      })),
    {
      id: 'new vignette',
      group: 'Actions',
      label: 'New vignette',
      terms: 'create add cwraf scorecard',
      icon: <Grid3x3 aria-hidden size={16} />,
      refusal: refusalOf(user, vignettes.create.access),
      run: () => void router.navigate({ to: '/dashboard/reports/vignettes/new' }),
    },
    ...importNouns.map((noun): Command => ({
      id: `import ${noun}`,
      group: 'Actions',
      label: importTitle(noun),
      terms: 'csv file upload spreadsheet table',
      icon: <Sheet aria-hidden size={16} />,
      refusal: refusalOf(user, imports.upload.access),
      run: () => void router.navigate({ to: importPages[noun] }),
    })),
    {
      id: 'jobs',
      group: 'Actions',
      label: 'Show background jobs',
      terms: 'progress drawer',
      icon: <ListChecks aria-hidden size={16} />,
      run: () => jobDrawer.set(true),
    },
    ...themes
      .filter(({ value }) => value !== theme)
      .map(({ value, label, icon: Icon }): Command => ({
        id: `theme ${value}`,
        group: 'Actions',
        label,
        terms: 'color mode appearance',
        icon: <Icon aria-hidden size={16} />,
        run: () => setTheme(value),
      })),
    {
      id: 'keys',
      group: 'Actions',
      label: 'Keyboard shortcuts',
      terms: 'help single keys',
      icon: <Keyboard aria-hidden size={16} />,
      keys: '?',
      run: () => overlay.set('help'),
    },
    {
      id: 'log out',
      group: 'Actions',
      label: 'Log out',
      terms: 'sign out leave',
      icon: <LogOut aria-hidden size={16} />,
      run: logout,
    },
  ];
}

/** The palette with the commands of the app and of the open page. */
export function AppPalette() {
  return <Palette commands={useAppCommands()} />;
}
