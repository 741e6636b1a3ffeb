import { useMatch, useRouter } from '@tanstack/react-router';

/** Returns whether the page of the component is still the one that is open: the user may leave it while a call runs. */
export function useIsOnPage(): () => boolean {
  const router = useRouter();
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  return () => router.latestLocation.pathname === path;
}
