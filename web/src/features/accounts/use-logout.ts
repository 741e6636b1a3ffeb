import { accounts } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../lib/call.ts';
import { toast } from '../../ui/toast.ts';

/** Ends the session and forgets everything that was fetched in it. */
export function useLogout() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call(accounts.logout),
    async onSuccess() {
      await navigate({ to: '/login' });
      queryClient.clear();
    },
    onError: (error) => toast.error('You are still logged in', error.message),
  });
}
