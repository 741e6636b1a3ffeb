import { accounts, type User } from '@riskboard/contract';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { useRouter, useNavigate } from '@tanstack/react-router';
import { call } from '../api/call.ts';
import { followedWork } from '../jobs/followed-work.ts';
import { forgetJobs } from '../jobs/kept-jobs.ts';
import { meQuery } from './account.ts';
import { forgetDraft, forgetDraftOfOthers } from './kept-draft.ts';
import { forgetRecentRecords } from './recent-records.ts';

/** After sign-in: clears data of a previous session and opens the requested page. */
export function useSignedIn(next = '/dashboard') {
  const queryClient = useQueryClient();
  const router = useRouter();
  return (user: User) => {
    queryClient.clear();
    forgetRecentRecords();
    forgetDraftOfOthers(user._id);
    queryClient.setQueryData(meQuery.queryKey, user);
    // Open forms belong to the ended session.
    router.history.push(next, undefined, { ignoreBlocker: true });
  };
}

interface SignedOut {
  /** Reason shown on the login page. */
  notice?: string | undefined;
  /** Page to open after the next login, if the user did not end the session: its unsaved input is kept. */
  next?: string | undefined;
  /** Email address of the account, to fill in on the login page. */
  email?: string | undefined;
}

/** After a session has ended: clears its data and opens the login page. */
export function useSignedOut() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async ({ notice, next, email }: SignedOut = {}): Promise<void> => {
    await navigate({
      to: '/login',
      search: { next },
      state: { ...(notice !== undefined && { notice }), ...(email !== undefined && { email }) },
    });
    queryClient.clear();
    forgetRecentRecords();
    if (next === undefined) forgetDraft();
    forgetJobs();
    followedWork.clear();
  };
}

/** Switches to another of the user's organizations and opens its dashboard. The caller shows a failure. */
export function useSwitchOrganization() {
  const signedIn = useSignedIn();
  return useMutation({
    mutationFn: (organizationId: string) => call(accounts.switchOrganization, { body: { organizationId } }),
    onSuccess: ({ user }) => signedIn(user),
  });
}
