import { Building2, KeyRound, ShieldCheck, UserRound, UsersRound } from 'lucide-react';

/** Pages of the settings, the person's own first. */
export const sections = [
  { to: '/dashboard/settings/profile', label: 'Profile', icon: UserRound },
  { to: '/dashboard/settings/security', label: 'Security', icon: ShieldCheck },
  { to: '/dashboard/settings/members', label: 'Members', icon: UsersRound },
  { to: '/dashboard/settings/tokens', label: 'API tokens', icon: KeyRound },
  { to: '/dashboard/settings/organization', label: 'Organization', icon: Building2 },
] as const;
