import { accounts, ownerOf, type User } from '@riskboard/contract';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useNavigate } from '@tanstack/react-router';
import { call } from '../api/call.ts';
import { followedWork } from '../jobs/followed-work.ts';
import { forgetJobs } from '../jobs/kept-jobs.ts';
import { abandonWaits } from '../jobs/wait-for-job.ts';
import { meQuery } from './account.ts';
import { forgetDraft, forgetDraftOfOthers } from './kept-draft.ts';
import { pageChanging, pageOwner } from './page-owner.ts';
import { forgetRecentRecords } from './recent-records.ts';

/**
 * After sign-in, also in another tab: clears data of a previous session and opens the requested page. Until that is loaded,
 * an open page of another account or organization is not shown.
 */
export function useSignedIn(next = '/dashboard') {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (user: User, notice?: string): Promise<void> => {
    pageChanging.set(pageOwner.get() !== undefined && pageOwner.get() !== ownerOf(user));
    pageOwner.set(ownerOf(user));
    queryClient.clear();
    forgetRecentRecords();
    forgetDraftOfOthers(user._id);
    queryClient.setQueryData(meQuery.queryKey, user);
    try {
      // Open forms belong to the ended session.
      await router.navigate({
        href: next,
        state: notice === undefined ? {} : { notice },
        ignoreBlocker: true,
      });
    } finally {
      pageChanging.set(false);
    }
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

/**
 * Forgets what this tab keeps of a session that has ended beyond its queries.
 * @param keepsDraft the user did not end the session: unsaved input is restored after the next login
 */
export function forgetSession({ keepsDraft = false } = {}): void {
  pageOwner.set(undefined);
  forgetRecentRecords();
  if (!keepsDraft) forgetDraft();
  forgetJobs();
  followedWork.clear();
  abandonWaits();
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
    forgetSession({ keepsDraft: next !== undefined });
    queryClient.clear();
  };
}

const switchKey = ['accounts', 'switch'];

/** Whether this tab is switching the organization. */
export const useIsSwitching = (): boolean => useIsMutating({ mutationKey: switchKey }) > 0;

/** Switches to another of the user's organizations and opens its dashboard. The caller shows a failure. */
export function useSwitchOrganization() {
  const signedIn = useSignedIn();
  return useMutation({
    mutationKey: switchKey,
    mutationFn: (organizationId: string) => call(accounts.switchOrganization, { body: { organizationId } }),
    onSuccess: ({ user }) => void signedIn(user),
  });
}
