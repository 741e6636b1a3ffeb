import type { User } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, LogOut, Settings } from 'lucide-react';
import { membershipsQuery, organizationName } from '../../lib/session/account.ts';
import { useSwitchOrganization } from '../../lib/session/use-session-change.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { MenuItem, MenuLink, MenuRadioGroup, MenuSeparator, Menu } from '../../ui/popup/menu.tsx';
import { useLogoutCommand } from './use-session.ts';

/** Menu with the user's name and organization, the switch to another organization, the settings and the logout. */
export function UserMenu({ user }: { user: User }) {
  const logout = useLogoutCommand();
  const name = `${user.firstName} ${user.lastName}`.trim();
  const trigger = (
    <button
      type="button"
      className="flex h-10 items-center gap-2 rounded px-2 text-left transition-colors hover:bg-hover data-popup-open:bg-hover"
    >
      <span
        aria-hidden
        className="flex size-7 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-text"
      >
        {user.firstName.slice(0, 1).toUpperCase()}
      </span>
      <span className="sr-only md:not-sr-only md:flex md:max-w-44 md:flex-col">
        <span className="truncate text-sm leading-4 font-medium">Hello, {user.firstName}</span>
        <span className="truncate text-xs text-muted">{organizationName(user)}</span>
      </span>
      <ChevronDown aria-hidden size={14} className="text-muted" />
    </button>
  );
  return (
    <Menu trigger={trigger}>
      <div className="max-w-64 px-2 py-1.5">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="truncate text-xs text-muted">{user.email}</p>
        <p className="truncate text-xs text-muted">
          {organizationName(user)} · {user.role}
        </p>
      </div>
      <MenuSeparator />
      <OrganizationSwitch current={user.organizationId} />
      <MenuLink icon={<Settings aria-hidden size={16} />} link={<Link to="/dashboard/settings" />}>
        Settings
      </MenuLink>
      <MenuItem icon={<LogOut aria-hidden size={16} />} onSelect={logout}>
        Log out
      </MenuItem>
    </Menu>
  );
}

/** Switches between the organizations of a user who belongs to more than one. */
function OrganizationSwitch({ current }: { current: string }) {
  const { data: memberships = [] } = useQuery({ ...membershipsQuery, staleTime: 60_000 });
  const { mutate } = useSwitchOrganization();
  if (memberships.length < 2) return null;
  return (
    <>
      <MenuRadioGroup
        label="Organization"
        items={memberships.map((one) => ({ value: one.organizationId, label: organizationName(one) }))}
        value={current}
        onChange={(organizationId) =>
          mutate(organizationId, {
            onError: (error) => toast.error('Failed to switch organization', error.message),
          })
        }
      />
      <MenuSeparator />
    </>
  );
}
