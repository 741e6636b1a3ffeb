import type { Member } from '@riskboard/contract';

/** What a member is called. */
export const personName = ({
  firstName,
  lastName,
  email,
}: Pick<Member, 'firstName' | 'lastName' | 'email'>) => `${firstName} ${lastName}`.trim() || email;
