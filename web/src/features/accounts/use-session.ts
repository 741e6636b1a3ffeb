import { accounts, errors, ownerOf, type User } from '@riskboard/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { call } from '../../lib/api/call.ts';
import { useStore } from '../../lib/browser/store.ts';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { meQuery, organizationName, useUser } from '../../lib/session/account.ts';
import { openUploads } from '../../lib/session/open-uploads.ts';
import { createOwnedStore, pageChanging, pageOwner } from '../../lib/session/page-owner.ts';
import { onSessionEnd, onAccountChange } from '../../lib/session/session.ts';
import { useIsSwitching, useSignedIn, useSignedOut } from '../../lib/session/use-session-change.ts';
import { toast } from '../../ui/feedback/toast.ts';

/** Asks again who is signed in after a call was refused because that has changed. */
export function useAccountChange(): void {
  const queryClient = useQueryClient();
  useEffect(
    () => onAccountChange(() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })),
    [queryClient],
  );
}

/**
 * The signed-in user, kept current. Undefined while the tab changes to another account or organization, such as after a
 * login or a switch in another tab: everything open is closed before the first call is made for the new one.
 */
export function usePageUser(): User | undefined {
  const user = useUser();
  const owner = useStore(pageOwner);
  const isLoading = useStore(pageChanging);
  const isSwitching = useIsSwitching();
  const signedIn = useSignedIn();
  const shown = useRef(user);
  const isOther = owner !== undefined && owner !== ownerOf(user);
  useAccountChange();

  const follow = useEffectEvent(() => void signedIn(user, changeNotice(shown.current, user)));
  useEffect(() => {
    if (!isOther) shown.current = user;
    // The reply to a switch in this tab opens the dashboard without a notice.
    else if (!isSwitching) follow();
  }, [isOther, isSwitching, user]);

  return isOther || isLoading ? undefined : user;
}

/** Says which page was closed because of a change in another tab. */
function changeNotice(before: User, now: User): string {
  const [closed, open] = [organizationName(before), organizationName(now)];
  const nothing = `What was open here was closed, and nothing of it was saved in ${open}.`;
  if (before._id !== now._id)
    return `${now.email} has logged in in another tab. This tab showed ${closed} for ${before.email}. ${nothing}`;
  return `You switched to ${open} in another tab. This tab showed ${closed}. ${nothing} Unsaved input of a form is restored when you open the form in ${closed} again.`;
}

/** Deleting an organization also ends its sessions, so an open page sees both events together. */
const isOrganizationDeleted = (): boolean =>
  [...jobStore.get().values()].some(
    ({ kind, state }) => kind === 'organization.delete' && state !== 'failed' && state !== 'cancelled',
  );

const noCookiesText = 'Your browser blocks cookies. Riskboard needs them to keep you logged in.';

/** Navigates to the login page, with the reason, when the session ends while a page is open. */
export function useSessionEnd(): void {
  const router = useRouter();
  const signedOut = useSignedOut();
  const { email } = useUser();

  const leave = useEffectEvent((reason?: string) => {
    const { pathname, href } = router.latestLocation;
    // Several calls may fail together; the first one has already navigated.
    if (!pathname.startsWith('/dashboard')) return;
    if (isOrganizationDeleted()) void signedOut({ notice: 'The organization has been deleted.' });
    else if (reason !== undefined) void signedOut({ notice: reason });
    else {
      const notice = navigator.cookieEnabled ? errors.session_expired.fallback : noCookiesText;
      void signedOut({ notice, next: href, email });
    }
  });

  useEffect(() => onSessionEnd((reason) => leave(reason)), []);
}

/** Ends the session in this browser. */
export function useLogout() {
  const signedOut = useSignedOut();
  return useMutation({
    mutationFn: () => call(accounts.logout),
    onSuccess: () => signedOut(),
    onError: (error) => toast.error('Failed to log out', error.message),
  });
}

/** Whether the question is open that is asked before a logout that stops uploads. */
export const logoutQuestion = createOwnedStore(false);

/** Logs out; while files are being uploaded only after a question. */
export function useLogoutCommand(): () => void {
  const { mutate } = useLogout();
  return () => {
    if (openUploads.get() > 0) logoutQuestion.set(true);
    else mutate();
  };
}
