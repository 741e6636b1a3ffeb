import { accounts } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useSignedOut } from '../../lib/use-signed-out.ts';
import { toast } from '../../ui/toast.ts';

/** Ends the session of this browser. */
export function useLogout() {
  const signedOut = useSignedOut();
  return useMutation({
    mutationFn: () => call(accounts.logout),
    onSuccess: () => signedOut(),
    onError: (error) => toast.error('You are still logged in', error.message),
  });
}
