import type { User } from '@riskboard/contract';

/** A signed-in user, valid by the contract. */
export const userOf = (change: Partial<User> = {}): User => ({
  _id: '0199f000-0000-7000-8000-0000000000a1',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Lovelace',
  organization: 'Northwind Energy',
  organizationId: '0199f000-0000-7000-8000-0000000000a2',
  role: 'owner',
  secondFactor: false,
  secondFactorRequired: false,
  ...change,
});
