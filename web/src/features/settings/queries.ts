import {
  emailChange,
  invitations,
  jobs,
  members,
  organizations,
  reports,
  secondFactor,
  sessions,
  tokens,
  type Member,
} from '@riskboard/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';
import { meQuery } from '../../lib/session/account.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['accounts', 'sessions'],
  queryFn: async ({ signal }) => (await call(sessions.list, { signal })).sessions,
});

/** The address, and whether a mailed link has confirmed it. */
export const addressQuery = queryOptions({
  queryKey: ['accounts', 'address'],
  queryFn: ({ signal }) => call(emailChange.get, { signal }),
});

export const secondFactorQuery = queryOptions({
  queryKey: ['accounts', 'second-factor'],
  queryFn: ({ signal }) => call(secondFactor.get, { signal }),
});

export const tokensQuery = queryOptions({
  queryKey: ['accounts', 'tokens'],
  queryFn: async ({ signal }) => (await call(tokens.list, { signal })).tokens,
});

export const organizationQuery = queryOptions({
  queryKey: ['organization', 'details'],
  queryFn: ({ signal }) => call(organizations.get, { signal }),
});

/** Owners only. */
export const membersQuery = queryOptions({
  queryKey: ['organization', 'members'],
  queryFn: async ({ signal }) => (await call(members.list, { signal })).members,
});

/** Owners only. */
export const invitationsQuery = queryOptions({
  queryKey: ['organization', 'invitations'],
  queryFn: async ({ signal }) => (await call(invitations.list, { signal })).invitations,
});

/** Counts of the data that is deleted with the organization. */
export const contentsQuery = queryOptions({
  queryKey: ['reports', 'contents'],
  queryFn: ({ signal }) => call(reports.overview, { signal }),
});

/** The job that deletes the organization, or null. Its progress also arrives over the socket. */
export const deletionQuery = queryOptions({
  queryKey: ['jobs', 'organization.delete'],
  queryFn: async ({ signal }) =>
    (await call(jobs.list, { query: { kind: ['organization.delete'], pageSize: 1 }, signal })).jobs[0] ??
    null,
});

/** Why the last owner can neither leave nor change role; undefined for all other members. */
export function useLastOwner({ role }: Pick<Member, 'role'>): string | undefined {
  const { data: owners } = useQuery({
    ...membersQuery,
    // The endpoint refuses other roles.
    enabled: role === 'owner',
    select: (members) => members.filter((member) => member.role === 'owner').length,
  });
  if (role !== 'owner' || owners === undefined || owners > 1) return undefined;
  return 'An organization needs at least one owner. Make another member an owner first.';
}

/** Refetches the signed-in user after a change to the account, the role or the organization. */
export function useRefreshAccount() {
  const queryClient = useQueryClient();
  return (): Promise<void> => queryClient.refetchQueries({ queryKey: meQuery.queryKey });
}
