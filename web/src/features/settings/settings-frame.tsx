import { Link, useLocation } from '@tanstack/react-router';
import { Building2, Inbox, KeyRound, ShieldCheck, UserRound, UsersRound, Webhook } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { PageHeader } from '../../ui/layout/page-header.tsx';

/** Layout of the settings: navigation at the left, or above the page on small screens. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  const page = useLocation({ select: ({ pathname }) => pathname });

  // Small screens scroll the navigation: keep the current page visible.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>(`a[href="${page}"]`);
    if (list.current === null || !open) return;
    list.current.scrollLeft = open.offsetLeft - (list.current.clientWidth - open.offsetWidth) / 2;
  }, [page]);

  return (
    <div className="max-w-300">
      <PageHeader title="Settings" />
      <div className="flex flex-col gap-x-8 gap-y-4 xl:flex-row">
        <nav
          aria-label="Settings"
          className="-mx-4 sm:mx-0 xl:sticky xl:top-20 xl:w-44 xl:shrink-0 xl:self-start"
        >
          <ul
            ref={list}
            className="relative flex gap-0.5 overflow-x-auto px-4 py-0.5 sm:px-0.5 xl:flex-col xl:overflow-visible"
          >
            {sections.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  className="flex h-8 items-center gap-2.5 rounded px-2 text-base whitespace-nowrap text-muted transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-text"
                >
                  <Icon aria-hidden size={16} className="hidden shrink-0 sm:block" />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex min-w-0 grow flex-col gap-6">{children}</div>
      </div>
    </div>
  );
}

/** Pages of the settings, personal ones first. */
const sections = [
  { to: '/dashboard/settings/profile', label: 'Profile', icon: UserRound },
  { to: '/dashboard/settings/security', label: 'Security', icon: ShieldCheck },
  { to: '/dashboard/settings/members', label: 'Members', icon: UsersRound },
  { to: '/dashboard/settings/alerts', label: 'Alert rules', icon: Inbox },
  { to: '/dashboard/settings/webhooks', label: 'Webhooks', icon: Webhook },
  { to: '/dashboard/settings/tokens', label: 'API tokens', icon: KeyRound },
  { to: '/dashboard/settings/organization', label: 'Organization', icon: Building2 },
] as const;
