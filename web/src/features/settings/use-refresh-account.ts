import { useQueryClient } from '@tanstack/react-query';
import { meQuery } from '../../lib/session/account.ts';

/** After a change to who one is: everything that shows it takes it up at once. */
export function useRefreshAccount() {
  const queryClient = useQueryClient();
  return (): Promise<void> => queryClient.refetchQueries({ queryKey: meQuery.queryKey });
}
