import { accounts } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
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
