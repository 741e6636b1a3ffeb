import { accounts, type User } from '@riskboard/contract';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { useRouter, useNavigate } from '@tanstack/react-router';
import { call } from '../api/call.ts';
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

interface SignedOut {
  /** Why, for the login page. */
  notice?: string | undefined;
  /** Page to come back to. */
  next?: string | undefined;
}

/** After a session has ended: leads to the login page and forgets everything that was fetched in it. */
export function useSignedOut() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async ({ notice, next }: SignedOut = {}): Promise<void> => {
    await navigate({
      to: '/login',
      search: { next },
      state: notice === undefined ? {} : { notice },
    });
    queryClient.clear();
  };
}

/** Goes on in another of the person's organisations, from its dashboard. The caller shows a failure. */
export function useSwitchOrganization() {
  const signedIn = useSignedIn();
  return useMutation({
    mutationFn: (organizationId: string) => call(accounts.switchOrganization, { body: { organizationId } }),
    onSuccess: ({ user }) => signedIn(user),
  });
}
