import { members } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import { organizationName, useUser } from '../../../lib/session/account.ts';
import { roleNoun } from '../../../lib/session/role-labels.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { SearchField } from '../../../ui/input/search-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { lazyPart, reserved } from '../../../ui/layout/lazy-part.tsx';
import { invitationsQuery, membersQuery } from '../queries.ts';
import { invitationsFound, membersFound } from './found.ts';
import { MembersCard } from './members-card.tsx';
import { firstPageSize } from './paged.tsx';

/** Below the members, which fill the first screen. */
const InvitationsCard = lazyPart(
  async () => (await import('./invitations-card.tsx')).InvitationsCard,
  reserved('h-40'),
);

/** Members and invitations of the organization. */
export function MembersPage() {
  return useRefusal(members.list.access) === undefined ? <MembersAndInvitations /> : <OwnersOnly />;
}

/** Both lists, with one search when they are long. */
function MembersAndInvitations() {
  const [search, setSearch] = useState('');
  const { data: all } = useQuery(membersQuery);
  const { data: invited } = useQuery(invitationsQuery);
  const isLong = (all?.length ?? 0) + (invited?.length ?? 0) > firstPageSize;
  const found = [
    ...(all === undefined ? [] : [plural(membersFound(all, search).length, 'member')]),
    ...(invited === undefined ? [] : [plural(invitationsFound(invited, search).length, 'invitation')]),
  ];
  return (
    <>
      {(isLong || search !== '') && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <SearchField
            label="Search members and invitations"
            placeholder="Search members and invitations"
            value={search}
            onChange={setSearch}
          />
          <output className="text-sm text-muted tabular-nums">
            {search.trim() !== '' && `${found.join(' and ')} found`}
          </output>
        </div>
      )}
      <MembersCard search={search} />
      <InvitationsCard search={search} />
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
        description={`You are ${roleNoun[user.role]} in ${nameText(organizationName(user))}. An owner can invite people, change roles and remove members.`}
      />
    </Card>
  );
}
