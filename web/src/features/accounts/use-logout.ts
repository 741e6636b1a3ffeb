import { accounts } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';
import { useSignedOut } from '../../lib/session/use-signed-out.ts';
import { toast } from '../../ui/feedback/toast.ts';

/** Ends the session of this browser. */
export function useLogout() {
  const signedOut = useSignedOut();
  return useMutation({
    mutationFn: () => call(accounts.logout),
    onSuccess: () => signedOut(),
    onError: (error) => toast.error('You are still logged in', error.message),
  });
}
