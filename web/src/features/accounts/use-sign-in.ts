import type { User } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { meQuery } from '../../lib/account.ts';

/** After a login or sign-up: takes the user to where they wanted to go. */
export function useSignIn(next = '/dashboard') {
  const queryClient = useQueryClient();
  const router = useRouter();
  return (user: User) => {
    queryClient.clear();
    queryClient.setQueryData(meQuery.queryKey, user);
    router.history.push(next);
  };
}
