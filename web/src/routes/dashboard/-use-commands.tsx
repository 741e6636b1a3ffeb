import { reports, threats, vulnerabilities } from '@riskboard/contract';
import { useRouter } from '@tanstack/react-router';
import { Bug, FileUp, Keyboard, ListChecks, LogOut, Monitor, Moon, ShieldAlert, Sun } from 'lucide-react';
import { useLogout } from '../../features/accounts/use-session.ts';
import { jobDrawer } from '../../features/jobs/job-drawer-button.tsx';
import type { Command } from '../../features/palette/command.ts';
import { overlay } from '../../features/palette/palette-state.ts';
import { uploadDialog } from '../../features/reports/upload/upload-dialog-state.ts';
import { navigation, type Destination } from '../../features/shell/navigation.ts';
import { setTheme, useTheme } from '../../lib/browser/theme.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';

const goKeys: Partial<Record<Destination['to'], string>> = {
  '/dashboard': 'g d',
  '/dashboard/vulnerabilities': 'g v',
  '/dashboard/threats': 'g t',
  '/dashboard/reports': 'g r',
  '/dashboard/jobs': 'g j',
  '/dashboard/activity': 'g a',
  '/dashboard/settings': 'g s',
};

const themes = [
  { value: 'light', label: 'Use light theme', icon: Sun },
  { value: 'dark', label: 'Use dark theme', icon: Moon },
  { value: 'system', label: 'Use the system’s theme', icon: Monitor },
] as const;

/** Pages and actions of the command palette. */
export function useCommands(): Command[] {
  const router = useRouter();
  const logout = useLogout();
  const theme = useTheme();
  const noUpload = useRefusal(reports.upload.access);
  const noVulnerability = useRefusal(vulnerabilities.create.access);
  const noThreat = useRefusal(threats.create.access);

  const pages = navigation.flatMap((group): Command[] =>
    group.entries.map(({ to, label, icon: Icon }) => ({
      id: to,
      group: 'Pages',
      label,
      terms: 'title' in group ? group.title : undefined,
      icon: <Icon aria-hidden size={16} />,
      keys: goKeys[to],
      run: () => void router.navigate({ to }),
    })),
  );
  return [
    ...pages,
    {
      id: 'upload',
      group: 'Actions',
      label: 'Upload STIX/TAXII',
      terms: 'import report file',
      icon: <FileUp aria-hidden size={16} />,
      refusal: noUpload,
      run: () => uploadDialog.set(true),
    },
    {
      id: 'new vulnerability',
      group: 'Actions',
      label: 'New vulnerability',
      terms: 'create add',
      icon: <Bug aria-hidden size={16} />,
      refusal: noVulnerability,
      run: () => void router.navigate({ to: '/dashboard/vulnerabilities/new' }),
    },
    {
      id: 'new threat',
      group: 'Actions',
      label: 'New threat',
      terms: 'create add',
      icon: <ShieldAlert aria-hidden size={16} />,
      refusal: noThreat,
      run: () => void router.navigate({ to: '/dashboard/threats/new' }),
    },
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
      run: () => logout.mutate(),
    },
  ];
}
