import { roles, type Role } from '@riskboard/contract';

/** What a role allows (contract, Accounts: roles). */
export const roleDescriptions = {
  viewer: 'Can view everything and change nothing',
  analyst: 'Can view and edit everything except members',
  owner: 'Full access, including members and organization settings',
} as const satisfies Record<Role, string>;

/** Names of the roles. */
export const roleNames = {
  viewer: 'Viewer',
  analyst: 'Analyst',
  owner: 'Owner',
} as const satisfies Record<Role, string>;

/** What a role allows the reader, to follow 'you'. */
export const roleRights = {
  viewer: 'can view everything and change nothing',
  analyst: 'can view and edit everything except members',
  owner: 'have full access, including members and organization settings',
} as const satisfies Record<Role, string>;

/** Role names with an article. */
export const roleNoun = {
  viewer: 'a viewer',
  analyst: 'an analyst',
  owner: 'an owner',
} as const satisfies Record<Role, string>;

/** The roles as options, each with its description. */
export const roleItems = roles.map((role) => ({
  value: role,
  label: roleNames[role],
  description: roleDescriptions[role],
}));

/** Whether a role includes the rights of `least`. */
export const roleReaches = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);
