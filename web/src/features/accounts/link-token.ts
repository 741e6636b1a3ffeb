import { redirect } from '@tanstack/react-router';
import { searchSchema, string } from '../../lib/list/search-schema.ts';

/** `?token=` of a link in an email. */
export const tokenSearch = searchSchema({ token: string });

/**
 * Removes the secret of a link from the URL before the page renders or fetches: address bars and histories are visible
 * to others (ASVS 5.0, 14.2.1). The secret moves to the history state, which survives a reload.
 */
export function hideToken(
  to: '/reset-password' | '/invitation' | '/confirm-email' | '/signup',
  { token }: { token?: string | undefined },
): void {
  if (token === undefined) return;
  throw redirect({ to, search: {}, state: { linkToken: token }, replace: true });
}
