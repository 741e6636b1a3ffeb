import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { mayHaveSession, sessionQuery } from '../../lib/session/account.ts';

/** Redirects a signed-in user from a page that is of use without a session only, to the requested page. */
export async function leaveSignedIn(queryClient: QueryClient, next = '/dashboard'): Promise<void> {
  if (!mayHaveSession()) return;
  const user = await queryClient.fetchQuery(sessionQuery).catch(() => null);
  if (user !== null) throw redirect({ href: next });
}
