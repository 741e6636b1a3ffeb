import { WifiOff, Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { setTheme, useTheme } from '../../lib/browser/theme.ts';
import { useLiveState } from '../../lib/live/live-state.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { SidePaneHost } from '../../ui/layout/side-pane-host.tsx';
import { MenuRadioGroup, Menu } from '../../ui/popup/menu.tsx';
import { TooltipProvider } from '../../ui/popup/tooltip.tsx';
import { Breadcrumbs, PageAnnouncer, WindowTitle } from './breadcrumbs.tsx';
import { InShell } from './in-shell.ts';
import { LiveBadge } from './live-badge.tsx';
import { Rail, RailDrawer } from './rail.tsx';

interface AppShellProps {
  /** Whether the page receives live updates. */
  live: boolean;
  /** Search button of the top bar, from another feature. */
  search: ReactNode;
  /** Right side of the top bar, from other features. */
  tools: ReactNode;
  /** The page. */
  children: ReactNode;
}

/** Frame of every page behind the login: rail, top bar and page. */
export function AppShell({ live, search, tools, children }: AppShellProps) {
  return (
    <TooltipProvider>
      <div className="flex min-h-dvh">
        <WindowTitle />
        <PageAnnouncer />
        <SkipLink />
        <Rail />
        <div className="flex min-w-0 grow flex-col">
          <header className="@container/top sticky top-0 z-20 flex h-14 shrink-0 items-center gap-2 border-b bg-surface px-3 sm:px-6 print:hidden">
            <RailDrawer />
            <Breadcrumbs />
            <div className="ml-auto flex shrink-0 items-center gap-1">
              {search}
              {live && <LiveBadge />}
              <ThemeMenu />
              {tools}
            </div>
          </header>
          <OfflineBanner />
          <div className="flex grow">
            <main
              id="main"
              tabIndex={-1}
              className="mx-auto w-full max-w-420 min-w-0 grow p-4 outline-none sm:p-6"
            >
              <InShell value>{children}</InShell>
            </main>
            <SidePaneHost />
          </div>
        </div>
      </div>
    </TooltipProvider>
  );
}

/** First focusable element: skips the navigation. */
function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded border bg-raised px-3 py-2 font-medium shadow-raised focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}

/** Warns that the connection is lost and the data may be out of date. */
function OfflineBanner() {
  const offline = useLiveState() === 'offline';
  return (
    <output>
      {offline && (
        <span className="flex items-center gap-2 border-b bg-warning-soft px-4 py-2 text-sm text-warning sm:px-6">
          <WifiOff aria-hidden size={16} className="shrink-0" />
          Riskboard cannot be reached. Data may be out of date. It refreshes when the connection is back.
        </span>
      )}
    </output>
  );
}

const choices = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden size={16} /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden size={16} /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden size={16} /> },
] as const;

/** Light, dark, or the setting of the operating system. */
function ThemeMenu() {
  const theme = useTheme();
  const icon = choices.find(({ value }) => value === theme)?.icon;
  return (
    <Menu trigger={<IconButton label="Theme" icon={icon} />}>
      <MenuRadioGroup label="Theme" items={choices} value={theme} onChange={setTheme} />
    </Menu>
  );
}
