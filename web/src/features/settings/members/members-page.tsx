import { members } from '@riskboard/contract';
import { UsersRound } from 'lucide-react';
import { organizationName, useUser } from '../../../lib/session/account.ts';
import { roleNoun } from '../../../lib/session/role-labels.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { InvitationsCard } from './invitations-card.tsx';
import { MembersCard } from './members-card.tsx';

/** Members and invitations of the organization. */
export function MembersPage() {
  if (useRefusal(members.list.access) !== undefined) return <OwnersOnly />;
  return (
    <>
      <MembersCard />
      <InvitationsCard />
    </>
  );
}

/** Shown instead of the members to users without access to them. */
function OwnersOnly() {
  const user = useUser();
  return (
    <Card title="Members">
      <EmptyState
        icon={<UsersRound aria-hidden size={20} />}
        title="Only owners can manage members"
        description={`You are ${roleNoun[user.role]} in ${organizationName(user)}. An owner can invite people, change roles and remove members.`}
      />
    </Card>
  );
}
