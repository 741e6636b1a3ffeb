import { accounts, sessionMeta, type User } from '@riskboard/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { pageOwner } from './page-owner.ts';

/** The signed-in user, also when the tab shows another account or organization; fails with 401 when there is no session. */
export const meQuery = queryOptions({
  queryKey: ['accounts', 'me'],
  queryFn: async ({ signal }) => (await call(accounts.me, { signal, owner: null })).user,
  staleTime: 300_000,
});

/** For pages without a session: the user as the server knows it now; the kept one may have just logged out. */
export const sessionQuery = queryOptions({ ...meQuery, staleTime: 0, retry: false, networkMode: 'always' });

/**
 * Whether this tab may have a session: not when the browser had none as it requested the page, and the tab has had no login since.
 * Then the question who is signed in would only be refused.
 */
export const mayHaveSession = (): boolean =>
  pageOwner.get() !== undefined || document.querySelector(`meta[name=${sessionMeta}]`) === null;

/** The user's organizations, with the current one marked. */
export const membershipsQuery = queryOptions({
  queryKey: ['accounts', 'memberships'],
  queryFn: async ({ signal }) => (await call(accounts.memberships, { signal })).memberships,
});

/** Name of the user's organization (spec 1: 'Organization not set' without one). */
export const organizationName = ({ organization }: Pick<User, 'organization'>): string =>
  organization === '' ? 'Organization not set' : organization;

/**
 * Renews the session if it has expired. Before the browser itself requests an address of the API: it cannot renew it, and
 * would be refused with 401, and its call does not name the account that the tab shows. @throws as `call` does
 */
export const renewExpired = (): Promise<unknown> => call(accounts.me);

/** The signed-in user; only behind the login, where the route has already loaded it. */
export const useUser = (): User => useSuspenseQuery(meQuery).data;
