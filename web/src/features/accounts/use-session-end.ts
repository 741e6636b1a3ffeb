import { errors } from '@riskboard/contract';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { onSessionEnd } from '../../lib/session/session.ts';
import { useSignedOut } from '../../lib/session/use-signed-out.ts';

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
