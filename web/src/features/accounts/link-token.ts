import { redirect } from '@tanstack/react-router';
import { searchSchema, string } from '../../lib/list/search-schema.ts';

/** `?token=` of a mailed link. */
export const tokenSearch = searchSchema({ token: string });

/**
 * Takes the secret of a mailed link out of the address, before anything is shown or fetched: address bars and history
 * lists are read by others (ASVS 5.0, 14.2.1). It goes on in the state of the page, which a reload keeps.
 */
export function hideToken(
  to: '/reset-password' | '/invitation' | '/confirm-email',
  { token }: { token?: string | undefined },
): void {
  if (token === undefined) return;
  throw redirect({ to, search: {}, state: { linkToken: token }, replace: true });
}
