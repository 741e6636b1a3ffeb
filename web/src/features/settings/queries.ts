import {
  invitations,
  members,
  organizations,
  reports,
  secondFactor,
  sessions,
  tokens,
  jobs,
} from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

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
