import { members, type Member, type Role } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { roleNoun } from '../../../lib/session/role-labels.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { attempt } from '../../../ui/feedback/attempt.ts';
import { membersQuery, useRefreshAccount } from '../queries.ts';

/** Confirms that the user is not someone else at their screen. */
interface Proof {
  password: string;
  code: string | undefined;
}

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
    /** Gives or takes owner rights. This and the next three are sent by `PasswordDialog`, which shows a refusal. */
    changeOwnerRights: (role: Role, proof: Proof) =>
      call(members.setRole, { params, body: { role, ...proof } }),
    resetSecondFactor: (proof: Proof) => call(members.resetSecondFactor, { params, body: proof }),
    endSessions: (proof: Proof) => call(members.endSessions, { params, body: proof }),
    removeOwner: (proof: Proof) => call(members.remove, { params, body: proof }),

    /** Shows the outcome of what was sent, and the member as it is now. */
    async changed(text: string): Promise<void> {
      toast.success(text);
      if (member.self) await refreshAccount();
      await refresh();
    },

    /** Changes the role of a member who is no owner: shown at once, and the old one again if the server refuses. */
    async setRole(role: Role): Promise<void> {
      await queryClient.cancelQueries({ queryKey });
      setCachedRole(role);
      const done = await attempt(() => call(members.setRole, { params, body: { role } }), {
        done: `${nameText(name)} is now ${roleNoun[role]}`,
        failure: 'Failed to change the role',
      });
      if (!done) setCachedRole(member.role);
      await refresh();
    },

    /** Removes a member who is no owner. */
    async remove(): Promise<void> {
      await attempt(() => call(members.remove, { params, body: {} }), {
        done: `${nameText(name)} removed`,
        failure: `Failed to remove ${nameText(name)}`,
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
