import {
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

export const secondFactorQuery = queryOptions({
  queryKey: ['accounts', 'second-factor'],
  queryFn: ({ signal }) => call(secondFactor.get, { signal }),
});

export const tokensQuery = queryOptions({
  queryKey: ['accounts', 'tokens'],
  queryFn: async ({ signal }) => (await call(tokens.list, { signal })).tokens,
});

export const organizationQuery = queryOptions({
  queryKey: ['organization', 'itself'],
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

/** What goes with the organisation. */
export const contentsQuery = queryOptions({
  queryKey: ['reports', 'contents'],
  queryFn: ({ signal }) => call(reports.overview, { signal }),
});

/** The job that deletes the organisation, or null; the socket tells its progress sooner. */
export const deletionQuery = queryOptions({
  queryKey: ['jobs', 'organization.delete'],
  queryFn: async ({ signal }) =>
    (await call(jobs.list, { query: { kind: ['organization.delete'], pageSize: 1 }, signal })).jobs[0] ??
    null,
});

/** Why the last owner stays one; undefined for everybody else. */
export function useLastOwner({ role }: Pick<Member, 'role'>): string | undefined {
  const { data: owners } = useQuery({
    ...membersQuery,
    // Whoever is no owner may not ask, and need not.
    enabled: role === 'owner',
    select: (members) => members.filter((member) => member.role === 'owner').length,
  });
  if (role !== 'owner' || owners === undefined || owners > 1) return undefined;
  return 'The last owner stays: an organization needs one. Make somebody else an owner first.';
}

/** After a change to who one is: everything that shows it takes it up at once. */
export function useRefreshAccount() {
  const queryClient = useQueryClient();
  return (): Promise<void> => queryClient.refetchQueries({ queryKey: meQuery.queryKey });
}
