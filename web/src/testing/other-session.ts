import { accounts, ownerOf, signedInAsHeader, type User } from '@riskboard/contract';
import { http } from 'msw';
import { userOf } from './rows.ts';
import { answer, refusal, server } from './server.ts';

/** Of the calls that reached their endpoint: method, path and for whom the page made them. */
interface Accepted {
  readonly call: string;
  readonly owner: string | null;
}

/**
 * Compares whom a page shows with the session, as the API does, once the handlers of the test are in use.
 * @returns the calls that were accepted, and a function with which another tab replaces the session
 */
export function compareSessions() {
  const accepted: Accepted[] = [];
  let user = userOf();
  server.use(
    answer(accounts.me, () => ({ user })),
    http.all('*/api/*', ({ request }) => {
      const owner = request.headers.get(signedInAsHeader);
      if (owner !== null && owner !== ownerOf(user)) return refusal('session_changed');
      accepted.push({ call: `${request.method} ${new URL(request.url).pathname}`, owner });
      return undefined;
    }),
  );
  return {
    accepted,
    writes: (): Accepted[] => accepted.filter(({ call }) => !call.startsWith('GET')),
    become(change: Partial<User>): void {
      user = userOf(change);
    },
  };
}

/** Another organization of the same account. */
export const harbour = {
  organizationId: '0199f000-0000-7000-8000-0000000000b2',
  organization: 'Harbour Authority',
};

/** Another account. */
export const grace = {
  _id: '0199f000-0000-7000-8000-0000000000c1',
  email: 'grace@example.org',
  firstName: 'Grace',
  ...harbour,
};
