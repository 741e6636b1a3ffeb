import { accounts, errors, type User } from '@riskboard/contract';
import { hashKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { call } from '../../lib/api/call.ts';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { meQuery, useUser } from '../../lib/session/account.ts';
import { onSessionEnd, onAccountChange } from '../../lib/session/session.ts';
import { useSignedOut } from '../../lib/session/use-session-change.ts';
import { toast } from '../../ui/feedback/toast.ts';

const meKey = hashKey(meQuery.queryKey);

/**
 * The signed-in user, kept current: a refused call refetches the account, and a switch to another organisation, in this
 * tab or another, drops all data of the previous one.
 */
export function useAccount(): User {
  const queryClient = useQueryClient();
  const user = useUser();
  const shown = useRef(user.organizationId);

  useEffect(
    () => onAccountChange(() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })),
    [queryClient],
  );

  useEffect(() => {
    if (shown.current === user.organizationId) return;
    shown.current = user.organizationId;
    void queryClient.resetQueries({ predicate: ({ queryHash }) => queryHash !== meKey });
  }, [queryClient, user.organizationId]);

  return user;
}

/** Deleting an organisation also ends its sessions, so an open page sees both events together. */
const isOrganizationDeleted = (): boolean =>
  [...jobStore.get().values()].some(
    ({ kind, state }) => kind === 'organization.delete' && state !== 'failed' && state !== 'cancelled',
  );

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
    else void signedOut({ notice: errors.session_expired.fallback, next: href, email });
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
