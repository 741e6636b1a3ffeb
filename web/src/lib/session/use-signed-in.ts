import type { User } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { meQuery } from './account.ts';

/** After a session has begun: forgets what another one fetched and takes the person to where they wanted to go. */
export function useSignedIn(next = '/dashboard') {
  const queryClient = useQueryClient();
  const router = useRouter();
  return (user: User) => {
    queryClient.clear();
    queryClient.setQueryData(meQuery.queryKey, user);
    // Whatever form is open belongs to a session that is over.
    router.history.push(next, undefined, { ignoreBlocker: true });
  };
}
