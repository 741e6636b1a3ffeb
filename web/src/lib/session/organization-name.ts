import type { User } from '@riskboard/contract';

/** Name of the user's organisation (spec 1: 'Organization not set' when there is none). */
export const organizationName = ({ organization }: Pick<User, 'organization'>): string =>
  organization === '' ? 'Organization not set' : organization;
