import type { ReactNode } from 'react';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { LiveBadge } from './live-badge.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { Rail } from './rail.tsx';
import { RailDrawer } from './rail-drawer.tsx';
import { SkipLink } from './skip-link.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { WindowTitle } from './window-title.tsx';

interface AppShellProps {
  /** Whether the page follows what happens. */
  live: boolean;
  /** The way to everything, in the top bar, from another feature. */
  search: ReactNode;
  /** At the right of the top bar, from other features. */
  tools: ReactNode;
  /** The page. */
  children: ReactNode;
}

/** Frame of every page behind the login: rail, top bar, page. */
export function AppShell({ live, search, tools, children }: AppShellProps) {
  return (
    <div className="flex min-h-dvh">
      <WindowTitle />
      <SkipLink />
      <Rail />
      <div className="flex min-w-0 grow flex-col">
        <header className="sticky top-0 z-20 flex h-14 shrink-0 items-center gap-2 border-b bg-surface px-3 sm:px-6">
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
        <main id="main" tabIndex={-1} className="mx-auto w-full max-w-420 grow p-4 outline-none sm:p-6">
          {children}
        </main>
      </div>
    </div>
  );
}
