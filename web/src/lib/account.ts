import { accounts } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** Who is signed in; a 401 says nobody. */
export const meQuery = queryOptions({
  queryKey: ['accounts', 'me'],
  queryFn: async ({ signal }) => (await call(accounts.me, { signal })).user,
  staleTime: 300_000,
});
