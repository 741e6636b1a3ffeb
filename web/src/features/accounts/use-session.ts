import { accounts, errors, type User } from '@riskboard/contract';
import { hashKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { call } from '../../lib/api/call.ts';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { meQuery, useUser } from '../../lib/session/account.ts';
import { onSessionEnd, onStandingChange } from '../../lib/session/session.ts';
import { useSignedOut } from '../../lib/session/use-session-change.ts';
import { toast } from '../../ui/feedback/toast.ts';

const meKey = hashKey(meQuery.queryKey);

/**
 * Who is signed in, kept true while pages are open: a refused call asks again, and when another tab has switched the
 * organisation, what was fetched in the last one goes.
 */
export function useAccount(): User {
  const queryClient = useQueryClient();
  const user = useUser();
  const shown = useRef(user.organizationId);

  useEffect(
    () => onStandingChange(() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })),
    [queryClient],
  );

  useEffect(() => {
    if (shown.current === user.organizationId) return;
    shown.current = user.organizationId;
    void queryClient.resetQueries({ predicate: ({ queryHash }) => queryHash !== meKey });
  }, [queryClient, user.organizationId]);

  return user;
}

/** The last session of an organisation ends with it, so its owner's page learns of both at once. */
const organizationIsGone = (): boolean =>
  [...jobStore.get().values()].some(
    ({ kind, state }) => kind === 'organization.delete' && state !== 'failed' && state !== 'cancelled',
  );

/** Leads to the login page when the session ends behind the page's back, and says why. */
export function useSessionEnd(): void {
  const router = useRouter();
  const signedOut = useSignedOut();

  const leave = useEffectEvent(() => {
    const { pathname, href } = router.latestLocation;
    // Several calls may learn of it at once; the first has led away.
    if (!pathname.startsWith('/dashboard')) return;
    if (organizationIsGone()) void signedOut({ notice: 'The organization has been deleted.' });
    else void signedOut({ notice: errors.session_expired.fallback, next: href });
  });

  useEffect(() => onSessionEnd(() => leave()), []);
}

/** Ends the session of this browser. */
export function useLogout() {
  const signedOut = useSignedOut();
  return useMutation({
    mutationFn: () => call(accounts.logout),
    onSuccess: () => signedOut(),
    onError: (error) => toast.error('You are still logged in', error.message),
  });
}
