import { roles, type Role } from '@riskboard/contract';

/** What a role may do, for whoever gives or gets it (contract, Accounts: roles). */
export const roleDeeds = {
  viewer: 'reads everything, changes nothing',
  analyst: 'reads and changes everything but members',
  owner: 'does everything, members and the organization included',
} as const satisfies Record<Role, string>;

/** What a role is called. */
export const roleNames = {
  viewer: 'Viewer',
  analyst: 'Analyst',
  owner: 'Owner',
} as const satisfies Record<Role, string>;

/** 'a viewer', 'an analyst', 'an owner'. */
export const roleNoun = {
  viewer: 'a viewer',
  analyst: 'an analyst',
  owner: 'an owner',
} as const satisfies Record<Role, string>;

/** For choosing one, each with what it may do as a sentence of its own. */
export const roleItems = roles.map((role) => ({
  value: role,
  label: roleNames[role],
  description: `${roleDeeds[role].charAt(0).toUpperCase()}${roleDeeds[role].slice(1)}.`,
}));

/** Whether a role may do what needs `least`. */
export const roleReaches = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);
