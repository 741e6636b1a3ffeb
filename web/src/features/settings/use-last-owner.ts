import type { Member } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { membersQuery } from './queries.ts';

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
