import { members, type Member, type Role } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { roleNoun } from '../../../lib/session/role-labels.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { attempt } from '../../../ui/feedback/attempt.ts';
import { membersQuery, useRefreshAccount } from '../queries.ts';

/** An owner's actions on a member; each shows its outcome in a toast. */
export function useMemberActions(member: Member) {
  const queryClient = useQueryClient();
  const refreshAccount = useRefreshAccount();
  const params = { id: member._id };
  const name = memberName(member);
  const { queryKey } = membersQuery;

  const refresh = () => queryClient.invalidateQueries({ queryKey: ['organization'] });
  const setCachedRole = (role: Role) =>
    queryClient.setQueryData(queryKey, (list) =>
      list?.map((one) => (one._id === member._id ? { ...one, role } : one)),
    );

  return {
    /** Owner rights need the password. Throws when the server refuses. */
    makeOwner: (password: string) => call(members.setRole, { params, body: { role: 'owner', password } }),

    async ownerMade(): Promise<void> {
      toast.success(`${name} is now ${roleNoun.owner}`);
      setCachedRole('owner');
      await refresh();
    },

    /** Shows the new role at once, and the old one again if the server refuses. */
    async setRole(role: Role): Promise<void> {
      await queryClient.cancelQueries({ queryKey });
      setCachedRole(role);
      const done = await attempt(() => call(members.setRole, { params, body: { role } }), {
        done: `${name} is now ${roleNoun[role]}`,
        failure: 'Failed to change the role',
      });
      if (!done) setCachedRole(member.role);
      if (done && member.self) await refreshAccount();
      await refresh();
    },

    async resetSecondFactor(): Promise<void> {
      await attempt(() => call(members.resetSecondFactor, { params }), {
        done: `Second factor of ${name} reset`,
        failure: 'Failed to reset the second factor',
      });
      await refresh();
    },

    async endSessions(): Promise<void> {
      await attempt(() => call(members.endSessions, { params }), {
        done: `Sessions and API tokens of ${name} ended`,
        failure: `Failed to end the sessions of ${name}`,
      });
      await refresh();
    },

    async remove(): Promise<void> {
      await attempt(() => call(members.remove, { params }), {
        done: `${name} removed`,
        failure: `Failed to remove ${name}`,
      });
      await refresh();
    },
  };
}

/** Full name of a member, else the email address. */
export const memberName = ({
  firstName,
  lastName,
  email,
}: Pick<Member, 'firstName' | 'lastName' | 'email'>) => `${firstName} ${lastName}`.trim() || email;
