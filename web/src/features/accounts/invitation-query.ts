import { invitations, type Reply } from '@riskboard/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** What an invitation is for. */
export type InvitationFacts = Reply<typeof invitations.read>;

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['organization', 'invitation', token],
    queryFn: ({ signal }) => call(invitations.read, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
