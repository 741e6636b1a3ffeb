import { accounts, type User } from '@riskboard/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** Who is signed in; a 401 says nobody. */
export const meQuery = queryOptions({
  queryKey: ['accounts', 'me'],
  queryFn: async ({ signal }) => (await call(accounts.me, { signal })).user,
  staleTime: 300_000,
});

/** The organisations of the person, the one that is open marked. */
export const membershipsQuery = queryOptions({
  queryKey: ['accounts', 'memberships'],
  queryFn: async ({ signal }) => (await call(accounts.memberships, { signal })).memberships,
});

/** Name of the user's organisation (spec 1: 'Organization not set' when there is none). */
export const organizationName = ({ organization }: Pick<User, 'organization'>): string =>
  organization === '' ? 'Organization not set' : organization;

/** Who is signed in, as it is now; only behind the login, where the route has asked already. */
export const useUser = (): User => useSuspenseQuery(meQuery).data;
