import { accounts } from '@riskboard/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { useSignedIn } from './use-signed-in.ts';

/** Goes on in another of the person's organisations, from its dashboard. The caller shows a failure. */
export function useSwitchOrganization() {
  const signedIn = useSignedIn();
  return useMutation({
    mutationFn: (organizationId: string) => call(accounts.switchOrganization, { body: { organizationId } }),
    onSuccess: ({ user }) => signedIn(user),
  });
}
