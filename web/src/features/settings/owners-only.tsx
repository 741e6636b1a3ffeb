import { UsersRound } from 'lucide-react';
import { organizationName } from '../../lib/session/organization-name.ts';
import { roleNoun } from '../../lib/session/role-labels.ts';
import { useUser } from '../../lib/session/use-user.ts';
import { Card } from '../../ui/layout/card.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';

/** What stands in the place of the members for everybody who may not see them. */
export function OwnersOnly() {
  const user = useUser();
  return (
    <Card title="Members">
      <EmptyState
        icon={<UsersRound aria-hidden size={20} />}
        title="Owners manage the members"
        description={`You are ${roleNoun[user.role]} in ${organizationName(user)}. An owner can invite people, change roles and remove members.`}
      />
    </Card>
  );
}
