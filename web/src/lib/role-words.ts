import type { Role } from '@riskboard/contract';

/** What a role may do, for whoever gives or gets it (contract, Accounts: roles). */
export const roleDeeds = {
  viewer: 'reads everything, changes nothing',
  analyst: 'reads and changes everything but members',
  owner: 'does everything, members and the organization included',
} as const satisfies Record<Role, string>;

/** 'a viewer', 'an analyst', 'an owner'. */
export const roleNoun = {
  viewer: 'a viewer',
  analyst: 'an analyst',
  owner: 'an owner',
} as const satisfies Record<Role, string>;
