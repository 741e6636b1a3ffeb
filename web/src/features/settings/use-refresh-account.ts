import type { User } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { meQuery } from '../../lib/account.ts';

/** After a change to who one is: pages, menus and guards take it up at once. Without `user` it is asked for. */
export function useRefreshAccount() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (user?: User): Promise<void> => {
    if (user === undefined) await queryClient.refetchQueries({ queryKey: meQuery.queryKey });
    else queryClient.setQueryData(meQuery.queryKey, user);
    await router.invalidate();
  };
}
