import { members, type Member, type Role } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { roleNoun } from '../../../lib/session/role-labels.ts';
import { attempt } from '../attempt.ts';
import { membersQuery, useRefreshAccount } from '../queries.ts';

/** What an owner can do with a member; each tells its end in a toast. */
export function useMemberActions(member: Member) {
  const queryClient = useQueryClient();
  const refreshAccount = useRefreshAccount();
  const params = { id: member._id };
  const name = personName(member);
  const { queryKey } = membersQuery;

  const refresh = () => queryClient.invalidateQueries({ queryKey: ['organization'] });
  const show = (role: Role) =>
    queryClient.setQueryData(queryKey, (list) =>
      list?.map((one) => (one._id === member._id ? { ...one, role } : one)),
    );

  return {
    /** Shown at once, and taken back when the server refuses. */
    async setRole(role: Role): Promise<void> {
      await queryClient.cancelQueries({ queryKey });
      show(role);
      const done = await attempt(() => call(members.setRole, { params, body: { role } }), {
        done: `${name} is now ${roleNoun[role]}`,
        failure: 'The role was not changed',
      });
      if (!done) show(member.role);
      if (done && member.self) await refreshAccount();
      await refresh();
    },

    async resetSecondFactor(): Promise<void> {
      await attempt(() => call(members.resetSecondFactor, { params }), {
        done: `The second factor of ${name} is reset`,
        failure: 'The second factor was not reset',
      });
      await refresh();
    },

    async remove(): Promise<void> {
      await attempt(() => call(members.remove, { params }), {
        done: `${name} is removed`,
        failure: `${name} was not removed`,
      });
      await refresh();
    },
  };
}

/** What a member is called. */
export const personName = ({
  firstName,
  lastName,
  email,
}: Pick<Member, 'firstName' | 'lastName' | 'email'>) => `${firstName} ${lastName}`.trim() || email;
